#pragma once

#include "remote/connection.h"

#include <string>

namespace hs::app {

/// Says when a line to another machine is lost and when it is back. For the line's own thread.
class LineMessages {
public:
    explicit LineMessages(std::string host) : m_host(std::move(host)) {}

    void tell(const remote::Connection::State& state);

private:
    std::string m_host;
    bool m_isLost = false;
};

}  // namespace hs::app
