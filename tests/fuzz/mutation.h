#pragma once

#include <random>
#include <string>
#include <string_view>

namespace hs::fuzz {

/// A neighbour of the input: a few bytes changed, removed, repeated or inserted. The same draws give the
/// same neighbour.
std::string mutated(std::string_view input, std::mt19937& draws);

}  // namespace hs::fuzz
