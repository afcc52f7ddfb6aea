#pragma once

#include "base/failure.h"

#include <string>

namespace hs::test {

/// The sentence that something is refused with; empty if it is not.
template <class Work>
std::string refusalOf(Work&& work)
{
    try {
        work();
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

/// Whether it is refused with a sentence that contains these words.
template <class Work>
bool isRefused(Work&& work, const std::string& words)
{
    const std::string sentence = refusalOf(work);
    return !sentence.empty() && sentence.find(words) != std::string::npos;
}

}  // namespace hs::test
