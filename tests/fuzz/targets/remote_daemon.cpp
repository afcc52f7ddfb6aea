#include "fuzz/target.h"
#include "fuzz/targets/remote_laws.h"

#include "remote/hello.h"
#include "remote/session.h"

namespace hs::fuzz {
namespace {

using namespace remote;

/// Answers at once, with what was asked and a part.
class Parrot : public Handler {
public:
    Tree answer(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart) override
    {
        hooks.report(1, 2);
        onPart(request);
        return request;
    }
};

void take(Session& session, const Message& message)
{
    switch (message.kind) {
    case Kind::Hello: requireSameProtocol(helloFrom(message.tree), "client"); break;
    case Kind::Beat: reader(message.tree).number(); break;
    default: session.take(message); break;
    }
}

void check(std::string_view input)
{
    Session session(std::make_unique<Parrot>(), {.kept = 1 << 20});
    checkMessages(End::Daemon, input, [&](const Message& message) { take(session, message); });
    require(session.standing().keptBytes <= (1 << 20) + (1 << 16), "no more is kept than may be");
}

const Target kTarget("remote_daemon", check);

}  // namespace
}  // namespace hs::fuzz
