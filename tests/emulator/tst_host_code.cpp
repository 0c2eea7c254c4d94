// SPDX-License-Identifier: Apache-2.0
// Host code on the emulator: what it may do, and everything that it does wrong. No toolkit is needed.
#include "host_code/modes.h"

#include "core/emulator/contribution.h"
#include "core/emulator/host/host_run.h"
#include "core/emulator/host_child/undefined_symbols.h"
#include "core/support/files.h"
#include "core/support/sandbox.h"

#include <QtTest/QTest>

#include <cmath>
#include <cstring>

using namespace ptxwb;
using namespace ptxwb::emulator;
using namespace std::chrono_literals;

namespace {

constexpr int count = 300;

constexpr const char* kernels = R"(
.version 8.0
.target sm_90a
.address_size 64
.global .align 4 .f32 factor;
.visible .entry scale(.param .u64 x, .param .u64 y, .param .u32 n, .param .f32 by)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f<3>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    ld.param.u32 %r1, [n];
    ld.param.f32 %f1, [by];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p ret;
    mul.wide.u32 %d3, %r2, 4;
    add.u64 %d1, %d1, %d3;
    add.u64 %d2, %d2, %d3;
    ld.global.f32 %f2, [%d1];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%d2], %f2;
    ret;
}
.visible .entry scale_by_variable(.param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f<3>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    ld.param.u32 %r1, [n];
    ld.global.f32 %f1, [factor];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p ret;
    mul.wide.u32 %d3, %r2, 4;
    add.u64 %d1, %d1, %d3;
    add.u64 %d2, %d2, %d3;
    ld.global.f32 %f2, [%d1];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%d2], %f2;
    ret;
}
.visible .entry scale_together(.param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<7>;
    .reg .f32 %f<3>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    ld.param.u32 %r1, [n];
    mov.u32 %r5, %envreg1;
    mov.u32 %r6, %envreg2;
    mov.b64 %d4, {%r6, %r5};
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    setp.ne.u32 %p, %r4, 0;
    @%p bra MET;
    atom.add.acq_rel.gpu.global.u32 %r5, [%d4+4], 1;
    mov.u32 %r6, %nctaid.x;
AGAIN:
    ld.acquire.gpu.global.u32 %r5, [%d4+4];
    setp.lt.u32 %p, %r5, %r6;
    @%p bra AGAIN;
MET:
    bar.sync 0;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p ret;
    mul.wide.u32 %d3, %r2, 4;
    add.u64 %d1, %d1, %d3;
    add.u64 %d2, %d2, %d3;
    ld.global.f32 %f2, [%d1];
    mul.f32 %f2, %f2, 0f40A00000;
    st.global.f32 [%d2], %f2;
    ret;
}
)";

EmulatorRequest requestOf(Mode mode)
{
    EmulatorRequest request;
    request.text = kernels;
    request.displayName = "scale.ptx";
    request.plan.buffers = {
        {.name = "x", .type = {.dtype = Dtype::Float32, .shape = {count}}, .role = BufferRole::Input},
        {.name = "y", .type = {.dtype = Dtype::Float32, .shape = {count}}, .role = BufferRole::Output},
        {.name = "mode",
            .type = {.dtype = Dtype::Int32, .shape = {}},
            .role = BufferRole::Input,
            .init = BufferInit::Scalar,
            .scalar = static_cast<double>(mode)}};
    std::vector<float> x(count);
    for (int i = 0; i < count; ++i) {
        x[static_cast<std::size_t>(i)] = static_cast<float>(i);
    }
    request.buffers = {std::vector<std::byte>(count * 4), std::vector<std::byte>(count * 4, std::byte{0xFF}),
        std::vector<std::byte>(4)};
    std::memcpy(request.buffers[0].data(), x.data(), request.buffers[0].size());
    request.limits.workers = 1;
    return request;
}

HostCode codeOf(const char* object = PTXWB_HOST_CANDIDATE)
{
    return {.program = PTXWB_HOST_PROGRAM_PATH,
        .sharedObject = object,
        .ffiLibrary = PTXWB_HOST_FFI,
        .target = "sm_90a"};
}

EmulatorOutcome outcomeOf(Mode mode, std::chrono::milliseconds limit = 20s)
{
    auto code = codeOf();
    code.hostLimit = limit;
    auto outcome = runHostCode(code, requestOf(mode));
    if (!outcome) {
        qWarning("%s", describe(outcome.error()).c_str());
        return {};
    }
    return *std::move(outcome);
}

bool isScaled(const EmulatorOutcome& outcome, float factor)
{
    if (outcome.buffers.size() != 3) {
        return false;
    }
    std::vector<float> y(count);
    std::memcpy(y.data(), outcome.buffers[1].data(), outcome.buffers[1].size());
    for (int i = 0; i < count; ++i) {
        if (y[static_cast<std::size_t>(i)] != factor * static_cast<float>(i)) {
            return false;
        }
    }
    return true;
}

void expectFault(const EmulatorOutcome& outcome, Verdict verdict, const char* words)
{
    QVERIFY(outcome.hostFault);
    QCOMPARE(outcome.end, EmulatorEnd::Fault);
    if (!QByteArray(outcome.hostFault->text.c_str()).contains(words)) {
        QFAIL(outcome.hostFault->text.c_str());
    }
    QCOMPARE(verdictName(outcome.hostFault->verdict), verdictName(verdict));
}

} // namespace

class TestHostCode : public QObject {
    Q_OBJECT

private slots:
    void whatItMayDo_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("launches");
        const auto row = [](const char* name, Mode mode, double factor, int launches) {
            QTest::newRow(name) << static_cast<int>(mode) << factor << launches;
        };
        row("one launch", Mode::Scale, 2, 1);
        row("second stream, events, own memory", Mode::ScaleTwice, 4, 2);
        row("a variable of the module", Mode::ScaleByVariable, 3, 1);
        row("a cooperative grid", Mode::Together, 5, 1);
        row("copies to the host and back", Mode::CopyThroughHost, 1, 0);
        row("much shared memory, allowed", Mode::AllowedShared, 2, 1);
        row("more memory than there is, refused and handled", Mode::AllocateTooMuch, 2, 1);
    }
    void whatItMayDo()
    {
        QFETCH(int, mode);
        QFETCH(double, factor);
        QFETCH(int, launches);
        const auto outcome = outcomeOf(static_cast<Mode>(mode));
        QVERIFY2(!outcome.hostFault, outcome.hostFault ? outcome.hostFault->text.c_str() : "");
        QCOMPARE(outcome.end, EmulatorEnd::Completed);
        QVERIFY(outcome.reports.empty());
        QVERIFY(isScaled(outcome, static_cast<float>(factor)));
        QCOMPARE(outcome.launches, static_cast<std::uint64_t>(launches));
    }

    void whatEndsIt_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("verdict");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char* name, Mode mode, Verdict verdict, const char* words) {
            QTest::newRow(name) << static_cast<int>(mode) << static_cast<int>(verdict) << QByteArray(words);
        };
        row("an error of its own", Mode::Raise, Verdict::RuntimeError,
            "ValueError: the candidate of the tests");
        row("exit(0)", Mode::Exit, Verdict::RuntimeError, "exit status 0");
        row("abort()", Mode::Abort, Verdict::RuntimeError, "signal 6");
        row("a device pointer used on the host", Mode::TouchDevice, Verdict::RuntimeError,
            "(y + 12) as its own");
        row("a wild pointer", Mode::TouchNothing, Verdict::RuntimeError, "at address 0x40");
        row("rubbish in the channel", Mode::Forge, Verdict::RuntimeError, "of its own into the channel");
        row("a driver function that is not there", Mode::MissingEntryPoint, Verdict::Unsupported,
            "cuGraphicsMapResources");
        row("a library that it must not use", Mode::LoadLibrary, Verdict::BannedLibrary,
            "libcublas_of_tests.so");
        row("a process left behind", Mode::Fork, Verdict::RuntimeError, "exit status 7");
    }
    void whatEndsIt()
    {
        QFETCH(int, mode);
        QFETCH(int, verdict);
        QFETCH(QByteArray, words);
        const bool waits = static_cast<Mode>(mode) == Mode::Fork;
        expectFault(outcomeOf(static_cast<Mode>(mode), waits ? 500ms : 20s),
            waits ? Verdict::Timeout : static_cast<Verdict>(verdict),
            waits ? "did not end within" : words.constData());
    }

    void anEndlessLoopIsBounded()
    {
        expectFault(outcomeOf(Mode::LoopForEver, 300ms), Verdict::Timeout, "did not end within 300 ms");
    }

    void endlessLaunchesAreBounded()
    {
        auto code = codeOf();
        auto request = requestOf(Mode::LaunchForEver);
        request.checks = false;
        const auto outcome = runHostCode(code, std::move(request));
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->end, EmulatorEnd::ResourceLimit);
        QVERIFY(QByteArray(outcome->reports.at(0).message.c_str()).contains("launches"));
    }

    void whatKernelsAndCopiesDoWrongIsReported_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("rule");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char* name, Mode mode, RuleId rule, const char* words) {
            QTest::newRow(name) << static_cast<int>(mode) << static_cast<int>(rule) << QByteArray(words);
        };
        row("copy past the end", Mode::CopyTooMuch, RuleId::OutOfBounds,
            "1204 bytes at x + 0, which has 1200");
        row("freed memory", Mode::UseFreed, RuleId::OutOfBounds, "");
        row("shared memory that was not allowed", Mode::TooMuchShared, RuleId::ResourceLimit,
            "102400 bytes of dynamic");
        row("a block too large", Mode::WrongBlock, RuleId::ResourceLimit, "2048 threads");
    }
    void whatKernelsAndCopiesDoWrongIsReported()
    {
        QFETCH(int, mode);
        QFETCH(int, rule);
        QFETCH(QByteArray, words);
        const auto outcome = outcomeOf(static_cast<Mode>(mode));
        QVERIFY(!outcome.reports.empty());
        QCOMPARE(static_cast<int>(outcome.reports[0].rule), rule);
        QVERIFY2(QByteArray(outcome.reports[0].message.c_str()).contains(words),
            outcome.reports[0].message.c_str());
        QVERIFY(!outcome.hostFault);
    }

    void functionsThatAreNotThereAreNamed()
    {
        const auto outcome = runHostCode(codeOf(PTXWB_HOST_MISSING), requestOf(Mode::Scale));
        QVERIFY(outcome.has_value());
        expectFault(*outcome, Verdict::Unsupported, "cudaGraphInstantiate");
        expectFault(*outcome, Verdict::Unsupported, "cuCtxSetLimit");
    }

    void whatIsNoCandidateIsSaid()
    {
        const auto noEntry = runHostCode(codeOf(PTXWB_HOST_NO_ENTRY), requestOf(Mode::Scale));
        QVERIFY(noEntry.has_value());
        expectFault(*noEntry, Verdict::LaunchError, "It exports no `run`");
        const auto noObject = runHostCode(codeOf(PTXWB_SOURCE_ROOT "/README.md"), requestOf(Mode::Scale));
        QVERIFY(noObject.has_value());
        expectFault(*noObject, Verdict::LaunchError, "cannot be loaded");
        auto code = codeOf();
        code.program = "/nowhere/at/all";
        const auto noProgram = runHostCode(code, requestOf(Mode::Scale));
        QVERIFY(!noProgram);
        QCOMPARE(noProgram.error().code, ErrorCode::MissingTool);
    }

    void aStrangersRunsInASandbox()
    {
#if defined(__SANITIZE_ADDRESS__)
        QSKIP("AddressSanitizer needs more address space than a sandbox gives");
#endif
        if (const auto walls = sandboxAvailable(); !walls) {
            QSKIP(describe(walls.error()).c_str());
        }
        auto code = codeOf();
        code.sandboxed = true;
        const auto outcome = runHostCode(code, requestOf(Mode::Scale));
        QVERIFY2(outcome.has_value(), outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(!outcome->hostFault, outcome->hostFault ? outcome->hostFault->text.c_str() : "");
        QVERIFY(isScaled(*outcome, 2));
        const auto touching = runHostCode(code, requestOf(Mode::TouchDevice));
        QVERIFY(touching.has_value());
        expectFault(*touching, Verdict::RuntimeError, "(y + 12) as its own");
        const auto banned = runHostCode(code, requestOf(Mode::LoadLibrary));
        QVERIFY(banned.has_value());
        expectFault(*banned, Verdict::BannedLibrary, "libcublas_of_tests.so");
        code.hostLimit = 500ms;
        const auto left = runHostCode(code, requestOf(Mode::LoopForEver));
        QVERIFY(left.has_value());
        expectFault(*left, Verdict::Timeout, "did not end");
    }

    void itIsStoppedWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto outcome = runHostCode(codeOf(), requestOf(Mode::LoopForEver), {}, stop.get_token());
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->end, EmulatorEnd::Cancelled);
        QVERIFY(!outcome->hostFault);
    }

    void symbolsAreRead()
    {
        const auto object = readFile(PTXWB_HOST_MISSING);
        QVERIFY(object.has_value());
        const auto names = host::undefinedSymbols(*object);
        QVERIFY(std::find(names.begin(), names.end(), "cudaGraphInstantiate") != names.end());
        QVERIFY(host::undefinedSymbols({}).empty());
        for (std::size_t cut = 0; cut < object->size(); cut += 97) {
            host::undefinedSymbols(std::string_view(*object).substr(0, cut));
        }
        QVERIFY(host::isCudaName("cudaMalloc") && host::isCudaName("cuMemAlloc_v2")
            && host::isCudaName("cublasCreate_v2"));
        QVERIFY(
            !host::isCudaName("cut") && !host::isCudaName("curl_easy_init") && !host::isCudaName("malloc"));
    }
};

QTEST_GUILESS_MAIN(TestHostCode)
#include "tst_host_code.moc"
