// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// A test harness of a page, because a bare GPU server has no Qt Test.
namespace ptxwb::test {

struct Case {
    const char* group;
    const char* name;
    std::function<void()> run;
};
std::vector<Case>& cases();

struct Register {
    Register(const char* group, const char* name, std::function<void()> run)
    {
        cases().push_back({group, name, std::move(run)});
    }
};

/// Thrown by a failed check; ends the case.
struct Failure {
    std::string message;
};

inline void check(
    bool holds, const char* expression, const char* file, int line, const std::string& detail = {})
{
    if (!holds) {
        throw Failure{fmt::format("{}:{}: {} does not hold. {}", file, line, expression, detail)};
    }
}

template <class T> T need(Result<T> result, const char* file, int line)
{
    if (!result) {
        throw Failure{fmt::format("{}:{}: {}", file, line, describe(result.error()))};
    }
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

} // namespace ptxwb::test

#define PTXWB_CASE(group, name)                                                                              \
    static void group##_##name();                                                                            \
    static const ptxwb::test::Register register_##group##_##name(#group, #name, group##_##name);             \
    static void group##_##name()
#define CHECK(expression) ptxwb::test::check(static_cast<bool>(expression), #expression, __FILE__, __LINE__)
#define CHECK_SAY(expression, detail)                                                                        \
    ptxwb::test::check(static_cast<bool>(expression), #expression, __FILE__, __LINE__, detail)
#define NEED(result) ptxwb::test::need((result), __FILE__, __LINE__)
