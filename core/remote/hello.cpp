#include "remote/hello.h"

#include "base/text_format.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace hs::remote {

Hello Hello::ours()
{
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    Hello hello;
    hello.version = HS_VERSION;
    hello.machine = name.data();
    return hello;
}

Tree toTree(const Hello& hello)
{
    return {{"protocol", {{"major", hello.major}, {"minor", hello.minor}}},
            {"version", hello.version},
            {"build", hello.build},
            {"machine", hello.machine},
            {"devices", hello.devices},
            {"daemon", hello.daemon},
            {"session", hello.session},
            {"asked", arrayOf(hello.asked)}};
}

Hello helloFrom(const Tree& tree)
{
    const JsonReader hello = reader(tree, "The other machine's greeting");
    Hello read;
    // Another major version may have changed anything but these three.
    read.major = hello["protocol"]["major"].integer(0, 1'000'000);
    read.version = shortened(hello["version"].text());
    read.machine = shortened(hello["machine"].text(""));
    if (read.major != kProtocolMajor)
        return read;
    read.minor = hello["protocol"]["minor"].integer(0, 1'000'000);
    read.build = shortened(hello["build"].text(""));
    read.devices = shortened(hello["devices"].text(""), 2'000);
    read.daemon = shortened(hello["daemon"].text(""));
    read.session = shortened(hello["session"].text(""));
    if (const JsonReader asked = hello["asked"])
        read.asked = readArray<std::int64_t>(
            asked, asked.json().is_binary() ? asked.json().get_binary().size() / sizeof(std::int64_t) : 0);
    return read;
}

void requireSameProtocol(const Hello& theirs, const std::string& host)
{
    if (theirs.major == kProtocolMajor)
        return;
    const bool isOlder = theirs.major < kProtocolMajor;
    fail(ErrorCode::Unsupported,
         host + " runs HeadScope " + theirs.version + " with protocol " + std::to_string(theirs.major) +
             ", this is HeadScope " HS_VERSION " with protocol " + std::to_string(kProtocolMajor) +
             "; update " + (isOlder ? "HeadScope on " + host : std::string("HeadScope here")) +
             " with \"git pull && ./dev build\".");
}

std::string randomToken()
{
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        fail(ErrorCode::Internal, "This system has no random numbers; start it again.");
    std::string digits;
    for (const unsigned char byte : bytes) {
        char pair[3];
        std::snprintf(pair, sizeof pair, "%02x", byte);
        digits += pair;
    }
    return digits;
}

}  // namespace hs::remote
