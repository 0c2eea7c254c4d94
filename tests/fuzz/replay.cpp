// SPDX-License-Identifier: Apache-2.0
// Feeds a fuzz target without libFuzzer: each seed whole, cut off at every byte (of a long one at some), and
// changed at random places, some with lines of another. For compilers that have no libFuzzer.
// PTXWB_FUZZ_KEEP names the file that the input of an abort is written to; PTXWB_FUZZ_SEED changes the seed,
// which is the same in each run otherwise.
//   replay_ptx SECONDS FILE_OR_DIRECTORY...
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

const std::string* fedNow = nullptr;

extern "C" void keepInput(int)
{
    if (const char* place = std::getenv("PTXWB_FUZZ_KEEP"); place != nullptr && fedNow != nullptr) {
        if (std::FILE* file = std::fopen(place, "wb")) {
            std::fwrite(fedNow->data(), 1, fedNow->size(), file);
            std::fclose(file);
        }
    }
    std::signal(SIGABRT, SIG_DFL);
    std::raise(SIGABRT);
}

void feed(const std::string& text)
{
    fedNow = &text;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::vector<std::string> seedsOf(const std::vector<fs::path>& places)
{
    std::vector<fs::path> files;
    for (const auto& place : places) {
        if (!fs::is_directory(place)) {
            files.push_back(place);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(place)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> seeds;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return seeds;
}

/// Some whole lines of `text`, from a random one on.
std::string linesOf(const std::string& text, std::mt19937& random)
{
    auto start = text.rfind('\n', random() % (text.size() + 1));
    start = start == std::string::npos ? 0 : start + 1;
    auto end = start;
    for (auto count = 1 + random() % 6; count > 0 && end < text.size(); --count) {
        const auto newline = text.find('\n', end);
        end = newline == std::string::npos ? text.size() : newline + 1;
    }
    return text.substr(start, end - start);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s SECONDS FILE_OR_DIRECTORY...\n", argv[0]);
        return 2;
    }
    std::signal(SIGABRT, keepInput);
    const auto end = std::chrono::steady_clock::now()
        + std::chrono::milliseconds(static_cast<int>(std::atof(argv[1]) * 1000));
    const auto isOver = [&] { return std::chrono::steady_clock::now() > end; };
    const auto seeds = seedsOf({argv + 2, argv + argc});
    std::size_t fed = 0;
    for (const auto& seed : seeds) {
        feed(seed);
        const auto step = std::max<std::size_t>(1, seed.size() / 2000);
        for (std::size_t length = 0; length < seed.size() && !isOver(); length += step) {
            feed(seed.substr(0, length));
            ++fed;
        }
    }
    const char* chosen = std::getenv("PTXWB_FUZZ_SEED");
    std::mt19937 random(
        chosen == nullptr ? 20250U : static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)));
    while (!seeds.empty() && !isOver()) {
        auto text = seeds[random() % seeds.size()];
        for (auto changes = 1 + random() % 8; changes > 0 && !text.empty(); --changes) {
            const auto at = random() % text.size();
            switch (random() % 5) {
            case 4:
                text.insert(text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1,
                    linesOf(seeds[random() % seeds.size()], random));
                break;
            case 0:
                text[at] = static_cast<char>(random());
                break;
            case 1:
                text.erase(at, 1 + random() % 30);
                break;
            case 2:
                text.insert(at, text.substr(random() % text.size(), random() % 60));
                break;
            default:
                text.insert(at, 1, "{}[];:,.@%/*\"#\n\r"[random() % 16]);
            }
        }
        feed(text);
        ++fed;
    }
    std::printf("%zu seeds, %zu inputs made of them\n", seeds.size(), fed);
    return seeds.empty() ? 1 : 0;
}
