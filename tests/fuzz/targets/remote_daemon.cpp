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

constexpr std::size_t kMostKept = 1 << 20;

/// A session that begins with its first message: its thread takes longer to start than most inputs to read.
class LateSession {
public:
    void take(const Message& message)
    {
        if (!m_session) {
            Limits limits;
            limits.kept = kMostKept;
            m_session.emplace(std::make_unique<Parrot>(), limits);
        }
        m_session->take(message);
    }
    std::size_t keptBytes() const { return m_session ? m_session->standing().keptBytes : 0; }

private:
    std::optional<Session> m_session;
};

void check(std::string_view input)
{
    LateSession session;
    checkMessages(End::Daemon, input, [&](const Message& message) {
        switch (message.kind) {
        case Kind::Hello: requireSameProtocol(helloFrom(message.tree), "client"); break;
        case Kind::Beat: reader(message.tree).number(); break;
        default: session.take(message); break;
        }
    });
    require(session.keptBytes() <= kMostKept + (1 << 16), "no more is kept than may be");
}

const Target kTarget("remote_daemon", check);

}  // namespace
}  // namespace hs::fuzz
