#include "remote/calls.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::remote {
namespace {

using Clock = Channel::Clock;

constexpr std::chrono::milliseconds kRepeatProgress{20};
constexpr std::size_t kWorthGranting = 128 << 10;

/// The number of parts that have come already, and the request itself.
PackedPtr packRequest(std::uint32_t number, std::int64_t partsReceived, const Tree& request)
{
    return pack(Kind::Request, number, Tree::array({partsReceived, request}));
}

}  // namespace

Calls::~Calls()
{
    std::unique_lock lock(m_mutex);
    m_news.wait(lock, [this] { return m_calls.empty(); });
}

Result<Tree> Calls::call(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart)
{
    Call mine;
    mine.request = &request;
    std::uint32_t number = 0;
    {
        const std::lock_guard lock(m_mutex);
        number = ++m_lastNumber;
    }
    const Result<PackedPtr> message = guarded([&] { return packRequest(number, 0, request); });
    if (!message)
        return message.error();
    {
        const std::lock_guard lock(m_mutex);
        m_calls.emplace(number, &mine);
        if (m_channel)
            m_channel->send(*message);
    }
    Result<Tree> answer = guarded([&] { return await(number, mine, hooks, onPart); });
    const std::lock_guard lock(m_mutex);
    m_calls.erase(number);
    m_held -= mine.held;
    if (m_channel) {
        m_channel->send(Kind::Release, number, nullptr);
        grant(0, 0);
    }
    m_news.notify_all();
    return answer;
}

Tree Calls::await(std::uint32_t number, Call& mine, const Hooks& hooks,
                  const std::function<void(Tree)>& onPart)
{
    std::optional<Clock::time_point> lastMoment;  // once it is cancelled
    for (;;) {
        std::deque<Message> events;
        int done = 0, total = 1;
        {
            std::unique_lock lock(m_mutex);
            m_news.wait_for(lock, kRepeatProgress, [&] { return !mine.events.empty() || m_refusal; });
            if (mine.events.empty() && m_refusal)
                throw Failure(*m_refusal);
            events.swap(mine.events);
            done = mine.done;
            total = mine.total;
            if (hooks.stop.stop_requested() && !lastMoment) {
                lastMoment = Clock::now() + m_limits.cancelled;
                if (m_channel)
                    m_channel->send(Kind::Cancel, number, nullptr);
            }
        }
        for (Message& event : events) {
            if (event.kind == Kind::Failed)
                throw Failure(errorFrom(event.tree));
            if (event.kind == Kind::Part && onPart)
                onPart(std::move(event.tree));
            taken(number, mine, event.kind, event.wireBytes);
            if (event.kind == Kind::Done)
                return std::move(event.tree);
        }
        if (lastMoment && Clock::now() >= *lastMoment)
            fail(ErrorCode::Cancelled, "Cancelled.");
        hooks.report(done, total);
    }
}

/// Gives back credit for what the caller has had.
void Calls::taken(std::uint32_t number, Call& mine, Kind kind, std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    mine.held -= bytes;
    m_held -= bytes;
    if (kind == Kind::Part)
        grant(number, ++mine.partsTaken);
}

/// Under the mutex.
void Calls::grant(std::uint32_t number, std::int64_t parts)
{
    const bool isWorthIt = m_owed >= std::min(kWorthGranting, m_limits.window / 4);
    const std::size_t bytes = m_held < m_limits.window && isWorthIt ? std::exchange(m_owed, 0) : 0;
    if (m_channel && (bytes > 0 || parts > 0))
        m_channel->send(Kind::Credit, number, Tree::array({bytes, parts}));
}

void Calls::connect(std::shared_ptr<Channel> channel, Hello ours)
{
    const std::lock_guard lock(m_mutex);
    m_channel = std::move(channel);
    m_owed = m_strays = 0;
    for (const auto& [number, call] : m_calls)
        ours.asked.push_back(number);
    m_channel->send(Kind::Hello, 0, toTree(ours));
    for (const auto& [number, call] : m_calls)
        m_channel->send(packRequest(number, call->partsReceived, *call->request));
}

void Calls::disconnect()
{
    const std::lock_guard lock(m_mutex);
    m_channel = nullptr;
}

void Calls::refuse(std::optional<Error> reason)
{
    {
        const std::lock_guard lock(m_mutex);
        m_refusal = std::move(reason);
    }
    m_news.notify_all();
}

void Calls::take(Message&& message)
{
    if (message.kind == Kind::Failed)
        errorFrom(message.tree);  // throws here, where the line is closed for it
    const JsonReader numbers = reader(message.tree);
    const std::lock_guard lock(m_mutex);
    const auto found = m_calls.find(message.request);
    if (found == m_calls.end()) {
        if (++m_strays >= m_limits.strays)
            refuseLine("answers that nobody asked for");
        return;
    }
    m_strays = 0;
    Call& call = *found->second;
    if (message.kind == Kind::Progress) {
        call.done = numbers[0].integer(0, INT32_MAX);
        call.total = numbers[1].integer(0, INT32_MAX);
        return;
    }
    call.partsReceived += message.kind == Kind::Part ? 1 : 0;
    if (isData(message.kind)) {
        call.held += message.wireBytes;
        m_held += message.wireBytes;
    }
    call.events.push_back(std::move(message));
    m_news.notify_all();
}

void Calls::receive(std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_owed += bytes;
    grant(0, 0);
}

}  // namespace hs::remote
