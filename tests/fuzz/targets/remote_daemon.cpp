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

/// One session for all inputs: starting its thread takes longer than reading one.
Session& session()
{
    static Session all(std::make_unique<Parrot>(), [] {
        Limits limits;
        limits.kept = 1 << 20;
        return limits;
    }());
    return all;
}

void take(const Message& message)
{
    switch (message.kind) {
    case Kind::Hello: requireSameProtocol(helloFrom(message.tree), "client"); break;
    case Kind::Beat: reader(message.tree).number(); break;
    default: session().take(message); break;
    }
}

void check(std::string_view input)
{
    checkMessages(End::Daemon, input, [](const Message& message) {
        if (message.kind != Kind::Request || !message.tree.is_array() || message.tree.size() < 2 ||
            !message.tree[1].is_object() || !message.tree[1].contains("own"))  // no thread for each input
            take(message);
    });
    require(session().standing().keptBytes <= (1 << 20) + (1 << 16), "no more is kept than may be");
    for (std::uint32_t request = 0; request < 4; ++request)
        session().take({Kind::Release, request, nullptr, 0});
}

const Target kTarget("remote_daemon", check);

}  // namespace
}  // namespace hs::fuzz
