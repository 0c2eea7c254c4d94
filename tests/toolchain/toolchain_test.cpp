// SPDX-License-Identifier: Apache-2.0
#include "tests/toolchain/toolchain_test.h"

#include <QDir>
#include <QFile>

namespace ptxwb::test {

namespace fs = std::filesystem;

std::string readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string dataFile(const QString& name)
{
    return readAll(QString(PTXWB_TEST_DATA "/ptxas/") + name);
}

fs::path writeScript(const fs::path& path, const std::string& body)
{
    fs::create_directories(path.parent_path());
    QFile file(QString::fromStdString(path.string()));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QByteArray::fromStdString("#!/bin/sh\n" + body + "\n"));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    return path;
}

fs::path writeFakePtxas(const fs::path& path, const std::string& body)
{
    return writeScript(path,
        "case \"$1\" in\n"
        "--version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0;;\n"
        "--help) echo \"Allowed values: 'compute_90','sm_90','sm_90a','sm_100f','lto_90'\"; exit 0;;\n"
        "esac\n"
            + body);
}

const Toolchain& realToolchain()
{
    static const Toolchain found = findToolchain();
    return found;
}

QStringList scratchDirectories()
{
    return QDir(QDir::tempPath())
        .entryList({"ptxwb-ptx-*", "ptxwb-cuda-*", "ptxwb-sass-*", "ptxwb-elf-*"}, QDir::Dirs);
}

CompileRequest ptxRequest(const std::string& text, const std::string& name)
{
    return {.displayName = name, .text = text, .language = Language::Ptx};
}

CompileRequest cudaRequest(const std::string& text, const std::string& name)
{
    return {.displayName = name, .text = text, .language = Language::Cuda};
}

QStringList shown(const std::vector<Diagnostic>& diagnostics)
{
    QStringList lines;
    for (const auto& said : diagnostics) {
        lines << QStringLiteral("%1 %2:%3 %4")
                     .arg(QString::fromStdString(std::string(severityName(said.severity))))
                     .arg(said.line.value_or(0))
                     .arg(said.column.value_or(0))
                     .arg(QString::fromStdString(said.message));
    }
    return lines;
}

std::vector<const Diagnostic*> rootErrors(const std::vector<Diagnostic>& diagnostics)
{
    std::vector<const Diagnostic*> roots;
    for (const auto& said : diagnostics) {
        if (said.rootCause && (said.severity == Severity::Error || said.severity == Severity::Fatal)) {
            roots.push_back(&said);
        }
    }
    return roots;
}

std::string kernelAround(const std::string& body, const std::string& head, const std::string& parameters)
{
    return head + ".visible .entry k(" + parameters
        + ")\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n.reg .f32 %f<8>;\n.reg .b16 %h<2>;\n"
        + body + "ret;\n}\n";
}

} // namespace ptxwb::test
