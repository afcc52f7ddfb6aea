#include "app/desktop/window_link.h"

#include "app/desktop/window_questions.h"
#include "base/failure.h"
#include "control/explorer/explorer.h"
#include "window/main_window.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace hs::app {
namespace {

constexpr int kPatience = 20;                                    // milliseconds
constexpr std::size_t kMostUnsent = 2 * remote::kLargestAnswer;  // that nobody reads

Descriptor inherited(int number)
{
    struct stat file;
    if (number <= STDERR_FILENO || fstat(number, &file) != 0 || !S_ISSOCK(file.st_mode))
        fail(ErrorCode::BadRequest, "--link " + std::to_string(number) +
                                        " names no socket; open the window from Python with headscope.show.");
    fcntl(number, F_SETFD, FD_CLOEXEC);  // ssh and others that the window starts do not get it
    return Descriptor(number);
}

bool isLater(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

WindowLink::WindowLink(int socket, window::MainWindow& window)
    : QObject(&window), m_window(window), m_socket(inherited(socket)),
      m_canRead(socket, QSocketNotifier::Read), m_canWrite(socket, QSocketNotifier::Write)
{
    m_canWrite.setEnabled(false);
    m_patience.setInterval(kPatience);
    m_telling.setSingleShot(true);
    connect(&m_canRead, &QSocketNotifier::activated, this, &WindowLink::read);
    connect(&m_canWrite, &QSocketNotifier::activated, this, &WindowLink::write);
    connect(&m_patience, &QTimer::timeout, this, &WindowLink::listen);
    connect(&m_telling, &QTimer::timeout, this, &WindowLink::tellSelection);
    const control::Explorer& explorer = window.explorer();
    const auto tellSoon = qOverload<>(&QTimer::start);
    connect(&explorer, &control::Explorer::selectionChanged, &m_telling, tellSoon);
    connect(&explorer, &control::Explorer::currentChanged, &m_telling, tellSoon);
    connect(&explorer, &control::Explorer::documentChanged, &m_telling, tellSoon);
    m_told = selectionOf(explorer);
    send(remote::windowFrame({{"protocol", remote::kWindowProtocol}, {"version", HS_VERSION}}));
}

void WindowLink::read()
{
    std::array<char, 1 << 16> bytes;
    const ssize_t count = recv(m_socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && !isLater(errno)))
        return end();
    if (count > 0)
        m_messages.add({bytes.data(), static_cast<std::size_t>(count)});
    listen();
}

void WindowLink::listen()
{
    try {
        answerAll();
    } catch (const Failure& failure) {
        send(remote::windowFrame({{"problem", failure.error().message}}));
        end();
    }
}

void WindowLink::answerAll()
{
    while (hasQuestion()) {
        const bool canAnswer = app::canAnswer(*m_question, m_window);
        m_canRead.setEnabled(canAnswer);
        if (!canAnswer)
            return m_patience.start();
        m_patience.stop();
        const Result<std::string> answer = guarded([&] {
            return remote::windowFrame({{"id", m_number}, {"value", answerOf(*m_question, m_window)}});
        });
        m_question.reset();
        send(answer ? *answer : remote::windowFrame({{"id", m_number}, {"problem", answer.error().message}}));
    }
}

bool WindowLink::hasQuestion()
{
    while (!m_question && m_socket) {
        const std::optional<Json> message = m_messages.next();
        if (!message)
            return false;
        if (!std::exchange(m_hasGreeted, true)) {
            remote::requireSameWindowProtocol(*message);
            continue;
        }
        m_number = remote::questionNumber(*message);
        if (const auto question = guarded([&] { return remote::questionFrom(*message); }))
            m_question = *question;
        else
            send(remote::windowFrame({{"id", m_number}, {"problem", question.error().message}}));
    }
    return m_question && m_socket;
}

void WindowLink::tellSelection()
{
    const Json selection = selectionOf(m_window.explorer());
    if (selection != m_told)
        send(remote::windowFrame({{"event", "selection"}, {"value", selection}}));
    m_told = selection;
}

void WindowLink::send(const std::string& frame)
{
    if (!m_socket)
        return;
    m_unsent += frame;
    write();
}

void WindowLink::write()
{
    const ssize_t count =
        ::send(m_socket.number(), m_unsent.data(), m_unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && !isLater(errno))
        return end();
    m_unsent.erase(0, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (m_unsent.size() > kMostUnsent)
        return end();
    m_canWrite.setEnabled(!m_unsent.empty());
}

void WindowLink::end()
{
    m_canRead.setEnabled(false);
    m_canWrite.setEnabled(false);
    m_patience.stop();
    m_question.reset();
    if (m_socket)
        shutdown(m_socket.number(), SHUT_RDWR);  // other programs may have inherited it, too
    m_socket.close();
}

}  // namespace hs::app
