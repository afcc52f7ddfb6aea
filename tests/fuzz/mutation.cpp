#include "fuzz/mutation.h"

#include <algorithm>

namespace hs::fuzz {
namespace {

constexpr std::size_t kLongestRun = 32;

/// A number below `end`, which is not 0; the same with every standard library.
std::size_t below(std::size_t end, std::mt19937& draws)
{
    return draws() % end;
}

void mutateOnce(std::string& bytes, std::mt19937& draws)
{
    if (bytes.empty())
        bytes.push_back(static_cast<char>(draws()));
    const std::size_t at = below(bytes.size(), draws);
    const std::size_t run = 1 + below(std::min(kLongestRun, bytes.size() - at), draws);
    switch (below(6, draws)) {
    case 0: bytes[at] = static_cast<char>(draws()); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8, draws)); break;
    case 2: bytes.insert(at, 1, static_cast<char>(draws())); break;
    case 3: bytes.erase(at, run); break;
    case 4: bytes.insert(below(bytes.size(), draws), bytes.substr(at, run)); break;
    case 5:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), run, draws() % 2 ? '\xff' : '\0');
        break;
    }
}

}  // namespace

std::string mutated(std::string_view input, std::mt19937& draws)
{
    std::string bytes(input);
    for (std::size_t count = 1 + below(4, draws); count > 0; --count)
        mutateOnce(bytes, draws);
    return bytes;
}

}  // namespace hs::fuzz
