// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ptxwb::testing {

inline std::string sassText(const std::string& name)
{
    std::ifstream file(std::string(PTXWB_TEST_DATA) + "/sass/" + name, std::ios::binary);
    if (!file) {
        throw std::runtime_error("no test data " + name);
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

inline SassListing parsed(std::string text)
{
    auto listing = parseSassListing(std::move(text));
    if (!listing) {
        throw std::runtime_error(listing.error().message);
    }
    return *listing;
}

inline SassListing sassListing(const std::string& name)
{
    return parsed(sassText(name));
}

inline const SassKernel& kernelNamed(const SassListing& listing, std::string_view name)
{
    for (const auto& kernel : listing.kernels) {
        if (kernel.name == name) {
            return kernel;
        }
    }
    throw std::runtime_error("no kernel " + std::string(name));
}

inline const SassInstruction& rowAt(const SassKernel& kernel, std::uint64_t address)
{
    for (const auto& row : kernel.instructions) {
        if (row.address == address) {
            return row;
        }
    }
    throw std::runtime_error("no such address in " + std::string(kernel.name));
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

} // namespace ptxwb::testing
