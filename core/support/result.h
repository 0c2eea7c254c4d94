// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/error.h"

#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace ptxwb {

/// Marks a value as the failure of a Result: `return Unexpected(Error{...});`
struct Unexpected {
    explicit Unexpected(Error e)
        : error(std::move(e))
    {
    }
    Error error;
};

/// A value or an Error, with std::expected's interface as far as it is needed (libstdc++ 12 hides
/// std::expected from clang 14).
template <class T> class [[nodiscard]] Result {
public:
    using value_type = T;
    using error_type = Error;

    Result(const T& value)
        : m_state(std::in_place_index<0>, value)
    {
    }
    Result(T&& value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Unexpected failure)
        : m_state(std::in_place_index<1>, std::move(failure.error))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Error& error() const& { return std::get<1>(m_state); }
    Error&& error() && { return std::get<1>(std::move(m_state)); }

    template <class U> T value_or(U&& fallback) const&
    {
        return has_value() ? value() : static_cast<T>(std::forward<U>(fallback));
    }

    template <class F> auto and_then(F&& f) const& -> std::invoke_result_t<F, const T&>
    {
        if (has_value()) {
            return std::invoke(std::forward<F>(f), value());
        }
        return error();
    }
    template <class F>
    auto transform(F&& f) const& -> Result<std::remove_cvref_t<std::invoke_result_t<F, const T&>>>
    {
        if (has_value()) {
            return std::invoke(std::forward<F>(f), value());
        }
        return error();
    }

private:
    std::variant<T, Error> m_state;
};

/// A Result without a value.
template <> class [[nodiscard]] Result<void> {
public:
    using value_type = void;
    using error_type = Error;

    Result() = default;
    Result(Unexpected failure)
        : m_error(std::move(failure.error))
    {
    }
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    bool has_value() const { return !m_error.has_value(); }
    explicit operator bool() const { return has_value(); }
    const Error& error() const& { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace ptxwb
