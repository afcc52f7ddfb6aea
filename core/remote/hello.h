#pragma once

#include "remote/tree.h"

#include <string>
#include <vector>

namespace hs::remote {

// Another major number means that the two cannot talk. A higher minor one adds keys and requests that the
// other side may not know.
constexpr int kProtocolMajor = 1;
constexpr int kProtocolMinor = 0;

/// What each end says first.
struct Hello {
    int major = kProtocolMajor;
    int minor = kProtocolMinor;
    std::string version;  // of the program
    std::string build;    // what else tells two builds apart
    std::string machine;
    std::string devices;              // for people: "NVIDIA H200, 139 GB"
    std::string daemon;               // differs for each daemon that was started; empty from a client
    std::string session;              // 128 random bits in hex digits, the client's; empty from a daemon
    std::vector<std::int64_t> asked;  // the client's requests that are still to be answered

    /// This program on this machine.
    static Hello ours();
};

Tree toTree(const Hello& hello);
Hello helloFrom(const Tree& tree);

/// Throws a Failure that names both versions and what mends it, if they cannot talk. `host` is how people call
/// the other machine.
void requireSameProtocol(const Hello& theirs, const std::string& host);

/// 128 random bits as hex digits.
std::string randomToken();

}  // namespace hs::remote
