#include "remote/channel.h"

#include "base/failure.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>

namespace hs::remote {
namespace {

void setNonBlocking(int handle)
{
    fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK);
}

}  // namespace

WakeUp::WakeUp() : m_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!m_event)
        fail(ErrorCode::Internal, "Too many files are open; close some windows.");
}

void WakeUp::wake() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(handle(), &one, sizeof one);
}

void WakeUp::heard() const
{
    std::uint64_t count = 0;
    [[maybe_unused]] const auto bytes = ::read(handle(), &count, sizeof count);
}

Channel::Channel(int in, int out, End end, const Limits& limits)
    : m_in(in), m_out(out), m_limits(limits),
      m_outbox(end == End::Daemon ? limits.window : std::numeric_limits<std::int64_t>::max()), m_reader(end),
      m_search(limits.noise), m_hasWord(end == End::Daemon)
{
    setNonBlocking(in);
    setNonBlocking(out);
    if (end == End::Daemon)
        m_writing = kFirstWord;
}

void Channel::send(PackedPtr message)
{
    {
        const std::lock_guard lock(m_mutex);
        m_outbox.add(std::move(message));
    }
    wake();
}

bool Channel::drop(std::uint32_t request)
{
    const std::lock_guard lock(m_mutex);
    return m_outbox.drop(request);
}

void Channel::grant(std::size_t bytes)
{
    {
        const std::lock_guard lock(m_mutex);
        m_outbox.grant(bytes);
    }
    wake();
}

void Channel::close()
{
    m_isClosed = true;
    wake();
}

bool Channel::step(Limits::Time most, const std::function<void(Message&&)>& take)
{
    if (m_isClosed)
        return false;
    write();
    std::array<pollfd, 3> handles = {pollfd{m_in, POLLIN, 0}, pollfd{m_wakeUp.handle(), POLLIN, 0},
                                     pollfd{m_writing.empty() ? -1 : m_out, POLLOUT, 0}};
    poll(handles.data(), handles.size(), static_cast<int>(most.count()));
    if (handles[1].revents != 0)
        m_wakeUp.heard();
    if (handles[0].revents != 0 && !read(take))
        return false;
    if (m_reader.frames().isAmidFrame() && Clock::now() - m_frameBegan > m_limits.frame)
        fail(ErrorCode::BadFile,
             "The other machine sent only part of a message for too long, so the line was "
             "closed; connect again.");
    write();
    return !m_isClosed;
}

void Channel::flush(Limits::Time most)
{
    const Clock::time_point end = Clock::now() + most;
    for (write(); !m_writing.empty() && Clock::now() < end; write()) {
        pollfd handle = {m_out, POLLOUT, 0};
        poll(&handle, 1, 10);
    }
}

bool Channel::read(const std::function<void(Message&&)>& take)
{
    std::array<char, 256 << 10> buffer;
    const ssize_t count = ::read(m_in, buffer.data(), buffer.size());
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (count == 0)
        return false;
    m_lastHeard = Clock::now();
    m_received += static_cast<std::uint64_t>(count);
    if (!m_reader.frames().isAmidFrame())
        m_frameBegan = m_lastHeard.load();
    hear({buffer.data(), static_cast<std::size_t>(count)}, take);
    return true;
}

void Channel::hear(std::string_view bytes, const std::function<void(Message&&)>& take)
{
    std::optional<std::string> rest;
    if (!m_hasWord) {
        rest = m_search.add(bytes);
        if (!rest)
            return;
        m_hasWord = true;
        bytes = *rest;
    }
    const std::uint64_t before = m_reader.frames().count();
    m_reader.add(bytes);
    while (std::optional<Message> message = m_reader.next())
        take(std::move(*message));
    if (m_reader.frames().count() != before)
        m_frameBegan = m_lastHeard.load();
}

void Channel::write()
{
    while (!m_isDeaf) {
        if (m_writing.empty()) {
            const std::lock_guard lock(m_mutex);
            m_writing = m_outbox.next();
        }
        if (m_writing.empty())
            return;
        const ssize_t count = ::write(m_out, m_writing.data(), m_writing.size());
        if (count < 0) {
            m_isDeaf = errno != EAGAIN && errno != EINTR;
            if (m_isDeaf)
                m_writing.clear();
            return;
        }
        m_sent += static_cast<std::uint64_t>(count);
        m_writing.erase(0, static_cast<std::size_t>(count));
    }
}

}  // namespace hs::remote
