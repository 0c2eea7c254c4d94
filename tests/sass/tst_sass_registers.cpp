// SPDX-License-Identifier: Apache-2.0
// Which registers a row reads and writes, against what `nvdisasm -plr` marks in its table of live registers:
// tests/data/sass/registers.txt, "row, read, written" by tabs, rows of our own kernels for sm_90a and
// sm_100a. A register that is written and never read may be unmarked there.
#include "core/sass/operands.h"
#include "sass_test_data.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTextStream>

#include <algorithm>
#include <iterator>
#include <set>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

using Slots = std::set<int>;

int slotOf(const QString& file, int number)
{
    const int first = file == QLatin1String("R") ? generalSlots
        : file == QLatin1String("UR")            ? uniformSlots
        : file == QLatin1String("P")             ? predicateSlots
        : file == QLatin1String("UP")            ? uniformPredicateSlots
                                                 : barrierSlots;
    return first + number;
}

/// "R4 R8-11 UP0"
Slots slotsOf(const QString& text)
{
    static const QRegularExpression one(QStringLiteral("([A-Z]+)(\\d+)(?:-(\\d+))?"));
    Slots set;
    for (const auto& match : one.globalMatch(text)) {
        const int first = match.captured(2).toInt();
        const int last = match.captured(3).isEmpty() ? first : match.captured(3).toInt();
        for (int number = first; number <= last; ++number) {
            set.insert(slotOf(match.captured(1), number));
        }
    }
    return set;
}

QString textOf(const Slots& set)
{
    QStringList words;
    for (const int slot : set) {
        words << QString::fromStdString(registerName(static_cast<RegisterSlot>(slot)));
    }
    return words.join(QLatin1Char(' '));
}

Slots lacking(const Slots& of, const Slots& in)
{
    Slots rest;
    std::ranges::set_difference(of, in, std::inserter(rest, rest.end()));
    return rest;
}

} // namespace

class TestSassRegisters : public QObject {
    Q_OBJECT
private slots:
    void rowsReadAndWriteWhatTheDisassemblerMarks()
    {
        QFile file(qEnvironmentVariable(
            "PTXWB_REGISTER_TABLE", QStringLiteral(PTXWB_TEST_DATA "/sass/registers.txt")));
        QVERIFY(file.open(QFile::ReadOnly));
        std::string text = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\"\n.text.k:\n";
        QList<QStringList> table;
        for (QTextStream in(&file); !in.atEnd();) {
            const auto columns = in.readLine().split(QLatin1Char('\t'));
            QCOMPARE(columns.size(), 3);
            text += QStringLiteral("        /*%1*/  %2 ;\n")
                        .arg(16 * table.size(), 4, 16, QLatin1Char('0'))
                        .arg(columns[0])
                        .toStdString();
            table << columns;
        }
        const auto listing = parsed(text);
        const auto forms = formsOf(listing.kernels.front());
        QCOMPARE(forms.rows.size(), static_cast<std::size_t>(table.size()));
        QStringList wrong;
        for (qsizetype i = 0; i < table.size(); ++i) {
            const auto& columns = table[i];
            Slots read;
            Slots written;
            Slots perhaps;
            for (const auto& use : forms.usesOf(forms.rows[static_cast<std::size_t>(i)])) {
                for (int k = 0; k < use.width; ++k) {
                    (use.defined ? written : read).insert(use.slot + k);
                }
                for (int k = 0; k < use.doubtful; ++k) {
                    perhaps.insert(use.slot + use.width + k);
                }
            }
            static const QRegularExpression unfollowed(QStringLiteral("^(@!?U?P\\w+ )?(CALL|TEX)\\b"));
            if (unfollowed.match(columns[0]).hasMatch()) {
                continue; // the registers of a callee, the coordinates of a texture
            }
            auto marked = slotsOf(columns[1]);
            const auto markedWritten = slotsOf(columns[2]);
            static const QRegularExpression access(QStringLiteral("\\b(LD|LDG|LDGSTS|ST|STG)\\."));
            if (access.match(columns[0]).hasMatch() && !columns[0].contains(QLatin1String("desc["))) {
                // Of global memory: the descriptor that such a row does not name.
                std::erase_if(marked, [](int slot) { return slot >= uniformSlots && slot < predicateSlots; });
            }
            std::erase_if(read, [](int slot) { return slot >= barrierSlots; }); // B0 has no column
            const auto say = [&](const char* what, const Slots& set) {
                if (!set.empty()) {
                    wrong << QStringLiteral("%1: %2 %3").arg(columns[0], QLatin1String(what), textOf(set));
                }
            };
            perhaps.insert(written.begin(), written.end());
            say("is not known to read", lacking(marked, read));
            say("is thought to read", lacking(read, marked));
            say("is not known to write", lacking(markedWritten, perhaps));
        }
        for (const auto& line : wrong) {
            qInfo("%s", qPrintable(line));
        }
        QCOMPARE(wrong.size(), 0);
    }
};

QTEST_APPLESS_MAIN(TestSassRegisters)

#include "tst_sass_registers.moc"
