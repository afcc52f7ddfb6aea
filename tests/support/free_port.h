#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace hs::test {

/// A port of this machine that nobody listens at.
inline int freePort()
{
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    const bool isBound =
        handle >= 0 && bind(handle, plain, size) == 0 && getsockname(handle, plain, &size) == 0;
    if (handle >= 0)
        close(handle);
    if (!isBound)
        throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
}

}  // namespace hs::test
