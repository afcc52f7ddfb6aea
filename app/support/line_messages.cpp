#include "app/support/line_messages.h"

#include "app/support/messages.h"

namespace hs::app {

void LineMessages::tell(const remote::Connection::State& state)
{
    using Kind = remote::Connection::State::Kind;
    const bool isLost = state.kind == Kind::Lost;
    if (isLost && !m_isLost)
        say("Connection lost, trying again: " + state.text);
    if (state.kind == Kind::Connected && m_isLost)
        say("Connected to " + m_host + " again.");
    m_isLost = isLost;
}

}  // namespace hs::app
