// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/declaration_reader.h"

#include "core/ptx/constant_expression.h"

#include <algorithm>
#include <charconv>

namespace ptxwb::lint {

int asInt(std::string_view text)
{
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void DeclarationReader::registers(Function* function, bool isParameter)
{
    ++m_at;
    RegisterType type;
    bool isVector = false;
    while (!atEnd() && (kind() == TokenKind::Type || kind() == TokenKind::Directive)) {
        if (kind() == TokenKind::Type) {
            type = registerTypeOf(text());
        } else if (text() == ".align") {
            ++m_at; // its number
        } else {
            isVector = isVector || text() == ".v2" || text() == ".v4";
        }
        ++m_at;
    }
    while (isWord()) {
        Declaration made{.name = text(), .token = m_at, .type = isVector ? RegisterType{} : type};
        made.isParameter = isParameter;
        if (function == nullptr) {
            noteName();
        }
        ++m_at;
        if (is('<')) {
            const auto value = literalValue(m_program.text(m_at + 1)).value_or(0);
            made.count = static_cast<Index>(std::clamp<std::int64_t>(value, 1, 1 << 20));
            m_at += 2;
            m_at += is('>') ? 1 : 0;
        }
        if (function != nullptr) {
            addDeclaration(*function, made);
        }
        if (isParameter || !is(',')) {
            return;
        }
        ++m_at;
    }
}

void DeclarationReader::addDeclaration(Function& function, Declaration made) const
{
    made.scope = m_scope;
    made.firstRegister = function.registerCount;
    function.registerCount += std::max<Index>(made.count, 1);
    function.byName[made.name].push_back(static_cast<Index>(function.declarations.size()));
    function.declarations.push_back(made);
}

namespace {

// Two or four of a type in a row.
int vectorWidth(std::string_view word)
{
    return word == ".v2" ? 2 : (word == ".v4" ? 4 : (word == ".v8" ? 8 : 1));
}

} // namespace

void DeclarationReader::dimensions(Variable& made)
{
    while (is('[')) {
        std::string size;
        for (++m_at; !atEnd() && !is(']') && !is(';'); ++m_at) {
            size += text();
        }
        made.bytes *= evaluateConstant(size).value_or(0);
        m_at += is(']') ? 1 : 0;
    }
}

void DeclarationReader::variables(std::vector<Variable>& list, std::string_view space, bool isExtern)
{
    ++m_at;
    int alignment = 0;
    int typeBytes = 0;
    while (!atEnd() && (kind() == TokenKind::Type || kind() == TokenKind::Directive)) {
        if (kind() == TokenKind::Type) {
            typeBytes = registerTypeOf(text()).bits / 8;
        } else if (text() == ".align") {
            ++m_at;
            alignment = asInt(text());
        } else {
            typeBytes *= vectorWidth(text());
        }
        ++m_at;
    }
    while (isWord()) {
        Variable made{.name = std::string(text()),
            .bytes = static_cast<std::uint64_t>(typeBytes),
            .alignment = alignment,
            .typeAlignment = std::max(typeBytes, 1),
            .isExtern = isExtern,
            .space = space};
        noteName();
        ++m_at;
        dimensions(made);
        list.push_back(std::move(made));
        if (!is(',')) {
            return;
        }
        ++m_at;
    }
}

void DeclarationReader::parameters(Function& made)
{
    if (!is('(')) {
        return;
    }
    Variable one{.space = "param"};
    bool isPointer = false; // what follows .ptr is of the memory behind it
    for (++m_at; !atEnd() && !is(')') && !is('{') && !is(';') && !isFunctionHead();) {
        if (text() == ".reg") {
            registers(&made, true);
            continue;
        }
        if (is(',')) {
            one = {.space = "param"};
            isPointer = false;
        } else if (text() == ".ptr") {
            isPointer = true;
        } else if (text() == ".align") {
            ++m_at;
            one.alignment = isPointer ? one.alignment : asInt(text());
        } else if (kind() == TokenKind::Type) {
            one.bytes = static_cast<std::uint64_t>(registerTypeOf(text()).bits / 8);
            one.typeAlignment = std::max(static_cast<int>(one.bytes), 1);
        } else if (isWord()) {
            one.name = std::string(text());
            made.names.insert(text());
            ++m_at;
            dimensions(one);
            made.parameters.push_back(one);
            continue;
        }
        ++m_at;
    }
    m_at += is(')') ? 1 : 0;
}

void DeclarationReader::limits(Function& made)
{
    while (!atEnd() && !is('{') && !is(';') && !is('}') && !isFunctionHead()) {
        const auto word = text();
        ++m_at;
        std::vector<std::uint64_t> values;
        while (kind() == TokenKind::Number || is(',')) {
            if (!is(',')) {
                values.push_back(static_cast<std::uint64_t>(literalValue(text()).value_or(0)));
            }
            ++m_at;
        }
        if (values.empty()) {
            continue;
        }
        std::uint64_t product = 1;
        for (const auto value : values) {
            product *= std::min<std::uint64_t>(value, 1U << 20);
        }
        if (word == ".reqntid") {
            made.limits.requiredThreads = product;
            made.limits.oneDimensional = product == values.front();
        } else if (word == ".maxntid") {
            made.limits.maxThreads = product;
            made.limits.oneDimensional = product == values.front();
        } else if (word == ".maxnreg") {
            made.limits.maxRegisters = values.front();
        } else if (word == ".minnctapersm") {
            made.limits.minCtas = values.front();
        } else if (word == ".reqnctapercluster" || word == ".maxclusterrank") {
            made.limits.clusterCtas = product;
        }
    }
}

} // namespace ptxwb::lint
