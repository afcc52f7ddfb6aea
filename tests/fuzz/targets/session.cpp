#include "fuzz/target.h"

#include "control/session/session.h"

namespace hs::fuzz {
namespace {

const std::filesystem::path kFile = "/sessions/one.headscope";

void check(std::string_view input)
{
    const Result<control::Session> session = control::readSession(input, kFile);
    if (!session)
        return requireRefusal(session.error());
    const std::string written = control::writeSession(*session, kFile);
    const Result<control::Session> again = control::readSession(written, kFile);
    require(again.ok(), "a session that was read can be written and read again");
    require(*again == *session, "a session reads as it was written");
    require(control::writeSession(*again, kFile) == written, "a session is written as it was read");
}

const Target kTarget("session", check);

}  // namespace
}  // namespace hs::fuzz
