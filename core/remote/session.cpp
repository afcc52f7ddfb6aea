#include "remote/session.h"

#include <algorithm>

namespace hs::remote {
namespace {

constexpr std::chrono::milliseconds kPace{30};  // between reports of progress
constexpr std::size_t kMostAhead = 64u << 20;   // bytes that a request of its own is ahead of its client
constexpr int kRestSlot = -1;

PackedPtr packFailure(std::uint32_t number, const Error& error)
{
    return pack(Kind::Failed, number, toTree(error));
}

PackedPtr packEnd(std::uint32_t number, const Result<Tree>& answer)
{
    if (!answer)
        return packFailure(number, answer.error());
    const Result<PackedPtr> packed = guarded([&] { return pack(Kind::Done, number, *answer); });
    return packed ? *packed : packFailure(number, packed.error());
}

}  // namespace

Session::Session(std::unique_ptr<Handler> handler, const Limits& limits)
    : m_handler(std::move(handler)), m_limits(limits)
{
}

Session::~Session()
{
    std::list<std::pair<AnswerPtr, std::jthread>> own;
    {
        const std::lock_guard lock(m_mutex);
        own.swap(m_own);
    }
    for (const auto& [answer, thread] : own)  // without the lock: whoever is told may report
        answer->stop.request_stop();
}

void Session::attach(std::shared_ptr<Channel> channel, std::span<const std::int64_t> asked)
{
    std::vector<std::uint32_t> unwanted;
    {
        const std::lock_guard lock(m_mutex);
        if (m_channel)
            m_channel->close();
        m_channel = std::move(channel);
        m_isResting = false;
        for (const auto& [number, answer] : m_answers)
            if (std::ranges::find(asked, static_cast<std::int64_t>(number)) == asked.end())
                unwanted.push_back(number);
    }
    for (const std::uint32_t number : unwanted)
        release(number);
}

void Session::detach(const Channel* channel)
{
    const std::lock_guard lock(m_mutex);
    if (m_channel.get() != channel)
        return;
    m_channel = nullptr;
    m_lastUse = Clock::now();
}

void Session::take(const Message& message)
{
    switch (message.kind) {
    case Kind::Request: {
        const JsonReader tree = reader(message.tree, "A request");
        const auto partsReceived = static_cast<std::int64_t>(tree[0].number(0, 1e15));
        try {
            begin(message.request, partsReceived, tree[1].json());
        } catch (const Failure& failure) {  // closing the line would only make the client ask again
            const std::lock_guard lock(m_mutex);
            send(packFailure(message.request, failure.error()));
        }
        return;
    }
    case Kind::Cancel: return cancel(message.request);
    case Kind::Release: return release(message.request);
    case Kind::Credit: return credit(message);
    default: break;  // the reader lets nothing else through
    }
}

void Session::begin(std::uint32_t number, std::int64_t partsReceived, const Tree& request)
{
    const JsonReader fields = reader(request, "A request");
    const bool isPatient = fields["patient"].flag(false);
    const bool isCancelling = fields["cancels"].flag(false);
    const auto answer = std::make_shared<Answer>();
    answer->number = number;
    answer->slot = fields["slot"].integer(0, 1'000, 0);
    answer->isOwn = fields["own"].flag(false);
    answer->partsGone = partsReceived;  // if this is a new daemon, or the answer was not kept
    {
        const std::lock_guard lock(m_mutex);
        if (const AnswerPtr known = find(number))
            return repeat(*known, partsReceived);
        if (!answer->isOwn)
            replace(answer->slot, isCancelling);
        m_answers.emplace(number, answer);
        joinFinished();
        if (answer->isOwn) {
            m_own.emplace_back(answer,
                               std::jthread([this, answer, request] { run(answer, request, false, {}); }));
            return;
        }
    }
    m_queue.post(
        answer->slot,
        [this, answer, request, isPatient](const std::stop_token& stop) {
            run(answer, request, isPatient, stop);
        },
        isCancelling ? WorkQueue::Running::Cancel : WorkQueue::Running::Finish,
        isPatient ? WorkQueue::Haste::Patient : WorkQueue::Haste::Urgent);
}

/// Makes room for a newer request of a slot.
void Session::replace(int slot, bool isCancelling)
{
    std::vector<AnswerPtr> ofSlot;  // finishing one may let go of others
    for (const auto& [number, older] : m_answers)
        if (older->slot == slot && !older->isOwn)
            ofSlot.push_back(older);
    for (const AnswerPtr& older : ofSlot)
        if (older->stage == Answer::Stage::Waiting || isCancelling)
            withdraw(*older, "A newer request took its place.");
}

/// Forgets what a client has not got of an answer and does not want any more; whether any of it was to be sent.
bool Session::dropUnsent(Answer& answer)
{
    answer.isWanted = false;
    forgetParts(answer, answer.partsMade);
    return m_channel && m_channel->drop(answer.number);
}

/// Ends a request that has not begun, or whose answer is still to be sent, as cancelled.
void Session::withdraw(Answer& answer, const char* why)
{
    const bool wasQueued = dropUnsent(answer);
    if (answer.stage == Answer::Stage::Waiting || (answer.stage == Answer::Stage::Finished && wasQueued))
        finish(answer, packFailure(answer.number, {ErrorCode::Cancelled, why, {}}));
}

Session::AnswerPtr Session::find(std::uint32_t number) const
{
    const auto found = m_answers.find(number);
    return found == m_answers.end() ? nullptr : found->second;
}

void Session::run(const AnswerPtr& answer, const Tree& request, bool isPatient,
                  const std::stop_token& queueStop)
{
    {
        const std::lock_guard lock(m_mutex);
        answer->hasRun = answer->stage != Answer::Stage::Waiting;
        if (answer->hasRun)
            return;
        answer->stage = Answer::Stage::Running;
    }
    const std::stop_callback passOn(queueStop, [&] { answer->stop.request_stop(); });
    const Hooks hooks{[&](int done, int total) {
                          report(*answer, done, total);
                          if (isPatient)
                              m_queue.giveWay();
                      },
                      answer->stop.get_token()};
    const Result<Tree> found = guarded([&] {
        hooks.throwIfCancelled();
        return m_handler->answer(request, hooks, [&](const Tree& part) { addPart(*answer, part); });
    });
    const PackedPtr end = packEnd(answer->number, found);
    const std::lock_guard lock(m_mutex);
    finish(*answer, end);
    answer->hasRun = true;
}

void Session::report(Answer& answer, int done, int total)
{
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    if (done < total && now - answer.lastProgress < kPace)
        return;
    answer.lastProgress = now;
    answer.progress =
        pack(Kind::Progress, answer.number, Tree::array({std::max(done, 0), std::max(total, 0)}));
    if (m_answers.contains(answer.number))
        send(answer.progress);
}

void Session::addPart(Answer& answer, const Tree& part)
{
    const PackedPtr message = pack(Kind::Part, answer.number, part);
    std::unique_lock lock(m_mutex);
    if (answer.isOwn)  // what it says may not be lost, so it waits for whoever listens
        m_fetched.wait(lock, answer.stop.get_token(), [&] { return answer.bytes < kMostAhead; });
    if (!answer.isWanted || ++answer.partsMade <= answer.partsGone)
        return;
    answer.parts.push_back(message);
    answer.bytes += message->bytes;
    m_keptBytes += message->bytes;
    keepWithinBounds();
    send(message);
}

/// Under the mutex, as all that follows.
void Session::finish(Answer& answer, PackedPtr end)
{
    m_lastUse = Clock::now();
    answer.stage = Answer::Stage::Finished;
    if (!m_answers.contains(answer.number))
        return;  // released
    const std::size_t before = answer.end ? answer.end->bytes : 0;
    answer.bytes += end->bytes - before;
    m_keptBytes += end->bytes - before;
    answer.end = std::move(end);
    send(answer.end);
    keepWithinBounds();
}

/// Says again what a client has not heard that lost its line.
void Session::repeat(Answer& answer, std::int64_t partsReceived)
{
    if (m_channel)
        m_channel->drop(answer.number);
    forgetParts(answer, partsReceived);
    for (const PackedPtr& part : answer.parts)
        send(part);
    if (answer.end)
        send(answer.end);
    else if (answer.progress)
        send(answer.progress);
}

void Session::cancel(std::uint32_t number)
{
    std::unique_lock lock(m_mutex);
    const AnswerPtr answer = find(number);
    if (!answer)
        return;
    withdraw(*answer, "Cancelled.");
    lock.unlock();  // whoever is told may report
    answer->stop.request_stop();
}

void Session::release(std::uint32_t number)
{
    std::unique_lock lock(m_mutex);
    const AnswerPtr answer = find(number);
    if (!answer)
        return;
    dropUnsent(*answer);
    if (answer->stage == Answer::Stage::Waiting)
        answer->stage = Answer::Stage::Finished;
    m_keptBytes -= answer->bytes;
    m_answers.erase(number);
    lock.unlock();
    answer->stop.request_stop();
}

void Session::credit(const Message& message)
{
    const JsonReader numbers = reader(message.tree);
    const auto bytes = static_cast<std::size_t>(numbers[0].number(0, 1e12));
    const auto parts = static_cast<std::int64_t>(numbers[1].number(0, 1e15));
    const std::lock_guard lock(m_mutex);
    if (m_channel)
        m_channel->grant(bytes);
    if (const AnswerPtr answer = find(message.request))
        forgetParts(*answer, parts);
}

void Session::forgetParts(Answer& answer, std::int64_t partsTaken)
{
    while (answer.partsGone < partsTaken && !answer.parts.empty()) {
        answer.bytes -= answer.parts.front()->bytes;
        m_keptBytes -= answer.parts.front()->bytes;
        answer.parts.pop_front();
        ++answer.partsGone;
    }
    m_fetched.notify_all();
}

void Session::keepWithinBounds()
{
    for (auto each = m_answers.begin(); m_keptBytes > m_limits.kept && each != m_answers.end();) {
        Answer& answer = *each->second;
        if (answer.stage == Answer::Stage::Finished) {  // runs again if it is asked for
            m_keptBytes -= answer.bytes;
            each = m_answers.erase(each);
        } else {
            forgetParts(answer, answer.partsMade);
            ++each;
        }
    }
}

void Session::joinFinished()
{
    m_own.remove_if([](const auto& own) { return own.first->hasRun; });
}

void Session::send(const PackedPtr& message)
{
    if (m_channel)
        m_channel->send(message);
}

void Session::restIfIdleSince(Clock::time_point moment)
{
    {
        const Standing now = standing();
        const std::lock_guard lock(m_mutex);
        if (m_isResting || now.isAttached || now.unfinished > 0 || now.lastUse > moment)
            return;
        m_isResting = true;
    }
    m_queue.post(kRestSlot, [this](const std::stop_token&) { m_handler->rest(); });
}

Session::Standing Session::standing() const
{
    const std::lock_guard lock(m_mutex);
    Standing now{m_channel != nullptr, 0, m_keptBytes, m_lastUse};
    for (const auto& [number, answer] : m_answers)
        now.unfinished += answer->stage != Answer::Stage::Finished ? 1 : 0;
    return now;
}

}  // namespace hs::remote
