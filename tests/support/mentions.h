#pragma once

#include "support/catch.h"

#include <string>

namespace hs::test {

/// Whether a sentence has these words; it is printed where a check fails.
inline bool mentions(const std::string& sentence, const std::string& words)
{
    UNSCOPED_INFO(sentence);
    return sentence.find(words) != std::string::npos;
}

}  // namespace hs::test
