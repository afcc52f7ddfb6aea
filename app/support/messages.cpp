#include "app/support/messages.h"

#include "base/failure.h"
#include "base/timing.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace hs::app {
namespace {

std::atomic<bool> onlyErrors = false;

}  // namespace

void sayOnlyErrors()
{
    onlyErrors = true;
}

bool saysOnlyErrors()
{
    return onlyErrors;
}

void say(const std::string& sentence)
{
    std::cerr << "headscope: " << sentence << '\n';
}

int exitStatusOf(const std::function<void()>& work)
{
    const Result<int> done = guarded([&] {
        work();
        return 0;
    });
    if (done)
        return *done;
    if (!done.error().message.empty())
        say(done.error().message);
    if (std::getenv("HEADSCOPE_DEBUG") && !done.error().detail.empty())
        std::cerr << done.error().detail << '\n';
    return 1;
}

std::stop_token interruptToken()
{
    // A signal handler may do next to nothing, so a thread waits for the signal instead.
    static std::stop_source source = [] {
        std::stop_source stop;
        sigset_t interrupt;
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        sigaddset(&interrupt, SIGTERM);  // schedulers send it before they kill
        pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
        std::thread([stop, interrupt]() mutable {
            int signal = 0;
            sigwait(&interrupt, &signal);
            stop.request_stop();
            sigwait(&interrupt, &signal);
            std::_Exit(130);
        }).detach();
        return stop;
    }();
    return source.get_token();
}

ProgressLine::ProgressLine(std::string what) : m_what(std::move(what)), m_start(secondsNow()) {}

ProgressLine::~ProgressLine()
{
    if (m_isShown)
        std::cerr << "\r\033[K" << std::flush;
}

std::function<void(int, int)> ProgressLine::callback()
{
    if (onlyErrors || (isatty(STDERR_FILENO) != 1 && !std::getenv(kWatched)))
        return {};
    return [this](int done, int total) { show(done, total); };
}

void ProgressLine::show(int done, int total)
{
    static constexpr double kPatience = 0.3;  // seconds
    if (secondsNow() - m_start < kPatience)
        return;
    m_isShown = true;
    std::cerr << "\r\033[K" << m_what << " " << done << " of " << total << std::flush;
}

}  // namespace hs::app
