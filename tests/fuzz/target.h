#pragma once

#include "base/result.h"

#include <stdexcept>
#include <string_view>
#include <vector>

namespace hs::fuzz {

/// A reader of untrusted bytes and the laws that hold whatever the bytes are. Each file in targets/
/// has one, which registers itself when the program starts. libFuzzer programs hold one target,
/// fuzz_tests holds them all.
class Target {
public:
    using Check = void (*)(std::string_view input);

    Target(const char* name, Check check);

    const char* name() const { return m_name; }
    void operator()(std::string_view input) const { m_check(input); }

private:
    const char* m_name;
    Check m_check;
};

const std::vector<Target>& allTargets();

/// A law that an input has broken; only the tests that run the corpus catch it.
class BrokenLaw : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

void require(bool holds, const char* law);

/// Whatever a file holds, its refusal is a sentence with a remedy, and never as long as the file.
void requireRefusal(const Error& error);

}  // namespace hs::fuzz
