// SPDX-License-Identifier: Apache-2.0
#include "core/bench/json_place_index.h"

#include "core/bench/json_place.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <set>
#include <utility>

namespace ptxwb {

namespace {

/// A JSON scanner that keeps only places. It believes that the text is well formed and stops where it is not:
/// the real parser says what is wrong.
class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    JsonPlaceIndex run()
    {
        while (m_at < m_text.size() && step()) { }
        return std::move(m_index);
    }

private:
    struct Frame {
        bool isObject = false;
        std::string path{};
        std::size_t nextIndex = 0;
        std::string key{}; ///< path of the member whose value follows; empty while a key is awaited
        std::set<std::string> keys{};
    };

    bool step()
    {
        switch (m_text[m_at]) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
        case ':':
            ++m_at;
            return true;
        case ',':
            ++m_at;
            if (m_frames.empty()) {
                return false;
            }
            m_frames.back().key.clear();
            return true;
        case '}':
        case ']':
            ++m_at;
            if (m_frames.empty()) {
                return false;
            }
            m_frames.pop_back();
            return !m_frames.empty();
        case '{':
        case '[':
            return open(m_text[m_at] == '{');
        case '"':
            return text();
        default:
            return literal();
        }
    }

    /// The path of the value that starts here; records it unless its key was recorded already.
    std::string startValue()
    {
        if (m_frames.empty()) {
            m_index.places.push_back({"$", m_at});
            return "$";
        }
        Frame& frame = m_frames.back();
        if (frame.isObject) {
            return frame.key;
        }
        std::string path = fmt::format("{}[{}]", frame.path, frame.nextIndex++);
        m_index.places.push_back({path, m_at});
        return path;
    }

    bool open(bool isObject)
    {
        Frame frame;
        frame.isObject = isObject;
        frame.path = startValue();
        if (m_frames.size() >= deepestJson) {
            m_index.tooDeep = JsonPlace{frame.path, m_at};
            return false;
        }
        m_frames.push_back(std::move(frame));
        ++m_at;
        return true;
    }

    bool text()
    {
        const std::size_t start = m_at++;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        }
        if (m_at >= m_text.size()) {
            return false;
        }
        ++m_at;
        if (!m_frames.empty() && m_frames.back().isObject && m_frames.back().key.empty()) {
            return key(start);
        }
        const std::size_t end = std::exchange(m_at, start);
        startValue();
        m_at = end;
        return true;
    }

    bool key(std::size_t start)
    {
        const auto parsed = nlohmann::json::parse(m_text.substr(start, m_at - start), nullptr, false);
        if (!parsed.is_string()) {
            return false;
        }
        Frame& frame = m_frames.back();
        const auto name = parsed.get<std::string>();
        frame.key = jsonChildPath(frame.path, name);
        m_index.places.push_back({frame.key, start});
        if (!frame.keys.insert(name).second && !m_index.repeatedKey) {
            m_index.repeatedKey = m_index.places.back();
        }
        return true;
    }

    bool literal()
    {
        startValue();
        const std::size_t end = m_text.find_first_of(" \t\r\n,:]}{[\"", m_at);
        m_at = end == std::string_view::npos ? m_text.size() : end;
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<Frame> m_frames{};
    JsonPlaceIndex m_index{};
};

} // namespace

JsonPlaceIndex indexJsonPlaces(std::string_view text)
{
    return Scanner(text).run();
}

} // namespace ptxwb
