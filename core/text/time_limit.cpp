#include "text/time_limit.h"

#include "base/failure.h"

#include <algorithm>
#include <utility>

namespace hs::text {
namespace {

thread_local const TimeLimit* innermost = nullptr;

}  // namespace

TimeLimit::TimeLimit(Duration duration)
    : m_end(std::chrono::steady_clock::now() + duration), m_outer(std::exchange(innermost, this))
{
    if (m_outer)
        m_end = std::min(m_end, m_outer->m_end);
}

TimeLimit::~TimeLimit()
{
    innermost = m_outer;
}

TimeLimit::Duration TimeLimit::generousFor(std::size_t bytes)
{
    return std::chrono::seconds(10) + std::chrono::microseconds(2 * bytes);
}

void TimeLimit::check()
{
    if (innermost && std::chrono::steady_clock::now() > innermost->m_end)
        fail(ErrorCode::Unsupported, "This tokenizer takes too long on this text; shorten the text, fetch "
                                     "tokenizer.json again or pass token ids with --tokens.");
}

}  // namespace hs::text
