// SPDX-License-Identifier: Apache-2.0
#include "core/bench/gathered_attention.h"
#include "core/bench/host_input.h"
#include "core/bench/launch_plan.h"
#include "core/bench/scaled_problem.h"
#include "core/support/files.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace ptxwb;

namespace {

BufferSpec made(const char* name, Dtype dtype, std::vector<std::int64_t> shape,
    BufferRole role = BufferRole::Input, BufferInit init = BufferInit::Random)
{
    return {.name = name, .type = {.dtype = dtype, .shape = std::move(shape)}, .role = role, .init = init};
}

/// Ragged: `tokens` queries and `keys` keys of `sequences` sequences, 4 heads on 2.
std::vector<BufferSpec> ragged(std::int64_t sequences, std::int64_t tokens, std::int64_t keys)
{
    return {made("q", Dtype::Float32, {tokens, 4, 8}), made("k", Dtype::Float32, {keys, 2, 8}),
        made("v", Dtype::Float32, {keys, 2, 8}),
        made("qo_indptr", Dtype::Int32, {sequences + 1}, BufferRole::Input, BufferInit::Derived),
        made("kv_indptr", Dtype::Int32, {sequences + 1}, BufferRole::Input, BufferInit::Derived),
        made("sm_scale", Dtype::Float32, {}),
        made("output", Dtype::Float32, {tokens, 4, 8}, BufferRole::Output),
        made("lse", Dtype::Float32, {tokens, 4}, BufferRole::Output)};
}

std::vector<double> randoms(std::uint32_t tensor, std::size_t count)
{
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = randomElement(Dtype::Float32, 3, tensor, i);
    }
    return values;
}

} // namespace

class TestGathered : public QObject {
    Q_OBJECT

private slots:
    /// One sequence, keys in order, is ordinary attention of the heads with their groups' keys repeated.
    void oneSequenceIsAttention_data()
    {
        QTest::addColumn<bool>("causal");
        QTest::newRow("full") << false;
        QTest::newRow("causal") << true;
    }
    void oneSequenceIsAttention()
    {
        QFETCH(bool, causal);
        constexpr std::size_t length = 9;
        const OracleSpec oracle{"gathered_attention", {{"causal", causal ? 1.0 : 0.0}}};
        const auto problem = gatheredAttention(oracle, ragged(1, length, length));
        QVERIFY2(problem, problem ? "" : describe(problem.error()).c_str());
        const auto q = randoms(0, length * 4 * 8);
        const auto k = randoms(1, length * 2 * 8);
        const auto v = randoms(2, length * 2 * 8);
        const auto got =
            gatheredAttentionOnHost(*problem, {q, k, v, {0, double(length)}, {0, double(length)}, {0.3}});
        for (std::size_t head = 0; head < 4; ++head) {
            std::vector<double> one[3];
            for (std::size_t t = 0; t < length; ++t) {
                for (std::size_t e = 0; e < 8; ++e) {
                    one[0].push_back(q[(t * 4 + head) * 8 + e]);
                    one[1].push_back(k[(t * 2 + head / 2) * 8 + e]);
                    one[2].push_back(v[(t * 2 + head / 2) * 8 + e]);
                }
            }
            const auto expected =
                attentionForwardOnHost(one[0], one[1], one[2], {1, 1, length, 8, 0.3, causal});
            for (std::size_t t = 0; t < length; ++t) {
                QVERIFY(std::fabs(got.lse[t * 4 + head] * std::log(2.0) - expected.lse[t]) < 1e-12);
                for (std::size_t e = 0; e < 8; ++e) {
                    QVERIFY(std::fabs(got.o[(t * 4 + head) * 8 + e] - expected.o[t * 8 + e]) < 1e-12);
                }
            }
        }
    }

    /// The mask's corner is at the end: with 2 queries behind 3 older keys the first sees 4, the last all 5.
    void causalMaskEndsAtTheLastKey()
    {
        const OracleSpec oracle{"gathered_attention", {{"causal", 1.0}}};
        const auto problem = gatheredAttention(oracle, ragged(1, 2, 5));
        QVERIFY(problem);
        const std::vector<double> zeros(2 * 4 * 8); // all weights alike
        std::vector<double> v(5 * 2 * 8);
        for (std::size_t i = 0; i < v.size(); ++i) {
            v[i] = static_cast<double>(i / 16); // key number
        }
        const auto got = gatheredAttentionOnHost(
            *problem, {zeros, std::vector<double>(5 * 2 * 8), v, {0, 2}, {0, 5}, {1.0}});
        QCOMPARE(got.o[0], 1.5); // of 0, 1, 2, 3
        QCOMPARE(got.o[4 * 8], 2.0); // of 0 .. 4
        QCOMPARE(got.lse[0], 2.0);
    }

    void pagesAreFoundThroughTheTable()
    {
        const std::vector<BufferSpec> buffers{made("q", Dtype::Float32, {1, 1, 4}),
            made("k_cache", Dtype::Float32, {3, 1, 1, 4}), made("v_cache", Dtype::Float32, {3, 1, 1, 4}),
            made("kv_indptr", Dtype::Int32, {2}), made("kv_indices", Dtype::Int32, {1}),
            made("sm_scale", Dtype::Float32, {}),
            made("output", Dtype::Float32, {1, 1, 4}, BufferRole::Output),
            made("lse", Dtype::Float32, {1, 1}, BufferRole::Output)};
        const auto problem = gatheredAttention({"gathered_attention", {}}, buffers);
        QVERIFY(problem);
        const std::vector<double> v{0, 0, 0, 0, 1, 1, 1, 1, 7, 8, 9, 10};
        const auto got =
            gatheredAttentionOnHost(*problem, {{1, 1, 1, 1}, std::vector<double>(12), v, {0, 1}, {2}, {1.0}});
        QCOMPARE(got.o, (std::vector<double>{7, 8, 9, 10}));
        QCOMPARE(got.lse[0], 0.0);
    }

    void tablesHoldTogether()
    {
        auto buffers = ragged(7, 40, 90);
        buffers[1].name = "k_cache";
        buffers[1].type.shape = {500, 1, 2, 8};
        buffers[2].name = "v_cache";
        buffers[2].type.shape = {500, 1, 2, 8};
        buffers.insert(buffers.begin() + 5,
            made("kv_indices", Dtype::Int32, {90}, BufferRole::Input, BufferInit::Derived));
        const OracleSpec oracle{"gathered_attention", {{"causal", 1.0}}};
        const auto problem = gatheredAttention(oracle, buffers);
        QVERIFY2(problem, problem ? "" : describe(problem.error()).c_str());
        const auto tables = gatheredTables(*problem, 5);
        QCOMPARE(tables.qoIndptr.size(), std::size_t{8});
        QCOMPARE(tables.qoIndptr.back(), 40);
        QCOMPARE(tables.kvIndptr.back(), 90);
        for (std::size_t s = 0; s < 7; ++s) {
            const int queries = tables.qoIndptr[s + 1] - tables.qoIndptr[s];
            QVERIFY(queries >= 1);
            QVERIFY(tables.kvIndptr[s + 1] - tables.kvIndptr[s] >= queries);
        }
        const std::set<std::int32_t> pages(tables.kvIndices.begin(), tables.kvIndices.end());
        QCOMPARE(pages.size(), std::size_t{90});
        QVERIFY(*pages.begin() >= 0 && *pages.rbegin() < 500);
        QVERIFY(gatheredTables(*problem, 6).kvIndices != tables.kvIndices);
        QVERIFY(gatheredTables(*problem, 6).qoIndptr != tables.qoIndptr);
        const auto derived = deriveFromSeed(oracle, buffers, 5);
        QVERIFY(derived);
        QCOMPARE(derived->size(), std::size_t{3});
        QCOMPARE((*derived)[0].bytes.size(), std::size_t{8 * 4});
    }

    void scaledGemmByHand()
    {
        // Two blocks of 128 ones each: 128 (2 * 3) + 128 (5 * 7).
        const std::vector<BufferSpec> buffers{made("A", Dtype::Float8E4m3, {1, 256}),
            made("SFA", Dtype::Float32, {1, 2}), made("B", Dtype::Float8E4m3, {128, 256}),
            made("SFB", Dtype::Float32, {1, 2}), made("C", Dtype::Bfloat16, {1, 128}, BufferRole::Output)};
        const auto problem = scaledGemm(buffers);
        QVERIFY2(problem, problem ? "" : describe(problem.error()).c_str());
        QCOMPARE(problem->bRows, std::int64_t{128});
        const auto c = scaledGemmOnHost(
            *problem, {std::vector<double>(256, 1), {2, 5}, std::vector<double>(128 * 256, 1), {3, 7}});
        QCOMPARE(c.size(), std::size_t{128});
        QCOMPARE(c.front(), 128.0 * 6 + 128.0 * 35);
        QCOMPARE(c.back(), c.front());
        auto odd = buffers;
        odd[0].type.shape = {1, 250};
        QVERIFY(!scaledGemm(odd));
        QCOMPARE(deriveFromSeed({"gemm_nt_scaled", {}}, buffers, 1)->size(), std::size_t{0});
    }

    void scaledAttentionIsAttentionWithFactors()
    {
        std::vector<BufferSpec> buffers(3, made("Q", Dtype::Float8E4m3, {1, 1, 4, 8}));
        buffers.resize(6, made("f", Dtype::Float32, {1, 1, 1, 1}));
        std::vector<std::vector<std::byte>> bytes;
        for (std::uint32_t i = 0; i < 6; ++i) {
            auto& data = bytes.emplace_back(buffers[i].type.bytes());
            auto spec = buffers[i];
            spec.init = i < 3 ? BufferInit::Random : BufferInit::Scalar;
            spec.scalar = i + 1.0; // 4, 5, 6
            QVERIFY(fillOnHost(spec, 9, i, data.data()));
        }
        buffers.push_back(made("O", Dtype::Float8E4m3, {1, 1, 4, 8}, BufferRole::Output));
        buffers.push_back(made("LSE", Dtype::Float32, {1, 1, 4}, BufferRole::Output));
        const std::vector<std::span<const std::byte>> spans(bytes.begin(), bytes.end());
        const auto got = runOracleOnHost({"attention_forward_scaled", {{"scale", 0.01}}}, buffers, spans);
        QVERIFY2(got, got ? "" : describe(got.error()).c_str());
        const auto values = [&](std::size_t i) { return toDoubles(buffers[i].type, bytes[i].data()); };
        const auto expected =
            attentionForwardOnHost(values(0), values(1), values(2), {1, 1, 4, 8, 0.2, false});
        for (std::size_t i = 0; i < expected.o.size(); ++i) {
            QVERIFY(std::fabs((*got)[0][i] - 6 * expected.o[i]) < 1e-12);
        }
        QVERIFY(std::fabs((*got)[1][0] - expected.lse[0]) < 1e-12);
    }

    /// Every shipped task fits its oracle in every workload.
    void shippedTasksFitTheirOracles()
    {
        const auto tasks = loadTasks(std::filesystem::path(PTXWB_SOURCE_ROOT) / "tasks");
        QVERIFY2(tasks, tasks ? "" : describe(tasks.error()).c_str());
        QVERIFY(tasks->size() >= 27);
        for (const Task& task : *tasks) {
            for (const Workload& workload : task.workloads) {
                const auto plan = taskBuffers(task, workload);
                QVERIFY2(plan, plan ? "" : (task.name + describe(plan.error())).c_str());
                const auto& buffers = plan->buffers;
                const std::string& oracle = task.oracle.name;
                if (oracle == "gathered_attention") {
                    const auto fits = gatheredAttention(task.oracle, buffers);
                    QVERIFY2(fits, fits ? "" : (task.name + describe(fits.error())).c_str());
                } else if (oracle == "gemm_nt_scaled") {
                    QVERIFY2(scaledGemm(buffers), task.name.c_str());
                } else if (oracle == "attention_forward_scaled") {
                    QVERIFY2(!whyNotScaledAttention(buffers), task.name.c_str());
                }
                if (derivesFromSeed(task.oracle)) {
                    QVERIFY2(deriveFromSeed(task.oracle, buffers, 1), task.name.c_str());
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestGathered)
#include "tst_gathered.moc"
