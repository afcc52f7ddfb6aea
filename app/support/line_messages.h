#pragma once

#include "remote/connection.h"

#include <set>
#include <string>

namespace hs::app {

/// Says when lines to other machines are lost and when they are back. For one thread at a time.
class LineMessages {
public:
    void tell(const std::string& host, const remote::Connection::State& state);

private:
    std::set<std::string> m_lost;  // hosts
};

}  // namespace hs::app
