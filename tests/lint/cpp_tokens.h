#pragma once

#include <string>
#include <vector>

namespace hs::lint {

struct CppToken {
    std::string text;
    int line = 0;
};

/// The words and signs of a C++ text, without comments and preprocessor lines; a literal is `""`, `''` or a
/// number. The only sign of more than one character is "::".
std::vector<CppToken> cppTokens(const std::string& text);

}  // namespace hs::lint
