#include "app/support/line_messages.h"

#include "app/support/messages.h"

namespace hs::app {

void LineMessages::tell(const std::string& host, const remote::Connection::State& state)
{
    using Kind = remote::Connection::State::Kind;
    if (state.kind == Kind::Lost && m_lost.insert(host).second)
        say("Connection lost, trying again: " + state.text);
    if (state.kind == Kind::Connected && m_lost.erase(host) > 0)
        say("Connected to " + host + " again.");
}

}  // namespace hs::app
