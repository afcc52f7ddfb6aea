#include "fuzz/target.h"

namespace hs::fuzz {
namespace {

constexpr std::size_t kLongestMessage = 1000;

std::vector<Target>& targets()
{
    static std::vector<Target> all;
    return all;
}

}  // namespace

Target::Target(const char* name, Check check) : m_name(name), m_check(check)
{
    targets().push_back(*this);
}

const std::vector<Target>& allTargets()
{
    return targets();
}

void require(bool holds, const char* law)
{
    if (!holds)
        throw BrokenLaw(law);
}

void requireRefusal(const Error& error)
{
    require(error.code != ErrorCode::Internal, "a refusal is foreseen");
    require(error.message.ends_with('.'), "a refusal is a sentence");
    require(error.message.size() <= kLongestMessage, "a refusal does not repeat the file");
}

}  // namespace hs::fuzz
