#include "app/remote/job.h"

#include "base/child_process.h"
#include "base/descriptor.h"
#include "base/failure.h"
#include "remote/hello.h"
#include "remote/state_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

namespace hs::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using remote::Tree;
using std::chrono::milliseconds;

constexpr milliseconds kLook{10};          // between looks at a process
constexpr milliseconds kMostWait{5'000};   // for something to be printed
constexpr milliseconds kLastWords{5'000};  // that a process has when nobody wants it any more
constexpr int kKilled = 128;               // the exit code of a killed process, with the signal added

Descriptor openFile(const fs::path& file, int flags)
{
    return Descriptor(open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600));
}

/// A piece of a file, as far as it goes.
std::string pieceOf(const fs::path& file, std::uint64_t at)
{
    const Descriptor opened = openFile(file, O_RDONLY);
    std::string bytes(kPiece, '\0');
    const ssize_t count =
        opened ? pread(opened.number(), bytes.data(), bytes.size(), static_cast<off_t>(at)) : 0;
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return bytes;
}

Tree bytesTree(const std::string& bytes)
{
    return remote::binaryOf(std::as_bytes(std::span(bytes)));
}

}  // namespace

void removeFolder(const fs::path& folder)
{
    // Not remove_all: libtorch 2 exports its own std::filesystem, in which that call crashes.
    nftw(
        folder.c_str(), [](const char* path, const struct stat*, int, FTW*) { return std::remove(path); },
        /*openFolders=*/16, FTW_DEPTH | FTW_PHYS);
}

Job::Job(fs::path folder, std::vector<JobFile> files) : m_folder(std::move(folder)), m_files(std::move(files))
{
    remote::makePrivateFolder(m_folder);
    for (std::size_t index = 0; index < m_files.size(); ++index)
        lay(index);
}

Job::~Job()
{
    std::error_code ignored;
    for (std::size_t index = 0; index < m_files.size(); ++index)
        fs::permissions(m_folder / std::to_string(index), fs::perms::owner_all, ignored);
    removeFolder(m_folder);
}

/// Makes a file's place look like that of the user's machine.
void Job::lay(std::size_t index) const
{
    const fs::path folder = m_folder / std::to_string(index);
    const fs::path path = pathOf(index);
    const Place place = m_files[index].place;
    if (mkdir(folder.c_str(), 0700) != 0)
        refuseDisk();
    const bool isMade = place == Place::Folder ? path.filename().empty() || mkdir(path.c_str(), 0700) == 0
                                               : place != Place::Empty || openFile(path, O_WRONLY | O_CREAT);
    if (!isMade)
        refuseDisk();
    if (place == Place::Locked)
        fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
}

fs::path Job::pathOf(std::size_t file) const
{
    return m_files.at(file).pathIn(m_folder, file);
}

void Job::refuseDisk() const
{
    fail(ErrorCode::TooLarge, "The files of the command do not fit on " + remote::Hello::ours().machine +
                                  "; free some space there for " + m_folder.parent_path().string() +
                                  ", or set HEADSCOPE_STATE there to a folder on another disk.");
}

void Job::put(std::size_t file, std::uint64_t at, std::span<const std::uint8_t> bytes)
{
    const Descriptor opened = openFile(pathOf(file), O_WRONLY | O_CREAT);
    while (!bytes.empty()) {
        const ssize_t count = pwrite(opened.number(), bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (count <= 0)
            refuseDisk();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        at += static_cast<std::uint64_t>(count);
    }
    if (!opened)
        refuseDisk();
}

std::optional<Job::Stamp> Job::stampOf(const fs::path& file)
{
    struct stat info = {};
    if (lstat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
        return std::nullopt;
    return Stamp{info.st_ino, static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec,
                 info.st_mtim.tv_nsec};
}

Tree Job::run(const Order& order, const std::stop_token& stop)
{
    const Result<Tree> told = guarded([&] { return runToEnd(order, stop); });
    {
        const std::lock_guard lock(m_mutex);
        m_hasEnded = true;
    }
    m_news.notify_all();
    return orThrow(told);
}

Tree Job::runToEnd(const Order& order, const std::stop_token& stop)
{
    const Descriptor out = openFile(m_folder / "out", O_WRONLY | O_CREAT | O_APPEND);
    const Descriptor err = openFile(m_folder / "err", O_WRONLY | O_CREAT | O_APPEND);
    const Descriptor in = openFile(order.input ? pathOf(*order.input) : fs::path("/dev/null"), O_RDONLY);
    if (!out || !err)
        refuseDisk();
    std::vector<std::optional<Stamp>> before;
    for (std::size_t index = 0; index < m_files.size(); ++index)
        before.push_back(stampOf(pathOf(index)));
    const pid_t child = startChild(order.words, order.environment, {in.number(), out.number(), err.number()},
                                   ChildTie::OwnSession);
    bool wasInterrupted = false;
    {
        const std::lock_guard lock(m_mutex);
        m_process = child;
        wasInterrupted = m_isInterrupted;
    }
    if (wasInterrupted)
        signal(SIGINT);
    return report(await(child, stop), before);
}

int Job::await(pid_t child, const std::stop_token& stop)
{
    std::optional<Clock::time_point> lastMoment;  // once it is to end
    for (;;) {
        if (stop.stop_requested() && !lastMoment) {
            lastMoment = Clock::now() + kLastWords;
            signal(SIGTERM);
        }
        if (lastMoment && Clock::now() > *lastMoment)
            signal(SIGKILL);
        int status = 0;
        {
            const std::lock_guard lock(m_mutex);  // no signal may reach another process of its number
            if (waitpid(child, &status, WNOHANG) == child) {
                m_process = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : kKilled + WTERMSIG(status);
            }
        }
        std::this_thread::sleep_for(kLook);
    }
}

Tree Job::report(int exitCode, const std::vector<std::optional<Stamp>>& before) const
{
    Tree written = Tree::array();
    for (std::size_t index = 0; index < m_files.size(); ++index)
        if (const std::optional<Stamp> now = stampOf(pathOf(index)); now && now != before[index])
            written.push_back({{"file", index}, {"bytes", now->bytes}});
    Tree told = {{"known", true}, {"exit", exitCode}, {"files", std::move(written)}};
    if (exitCode != 0 && isDiskFull())
        told["problem"] = "The disk of " + remote::Hello::ours().machine +
                          " is full; free some space there for " + m_folder.parent_path().string() +
                          ", or set HEADSCOPE_STATE there to a folder on another disk.";
    return told;
}

/// Whether the command may have failed for that: it has said so, or could not even do that.
bool Job::isDiskFull() const
{
    const fs::path err = m_folder / "err";
    const std::uint64_t size = stampOf(err).value_or(Stamp()).bytes;
    const std::string last = pieceOf(err, size > kPiece ? size - kPiece : 0);
    for (const int reason : {ENOSPC, EDQUOT})
        if (last.find(std::strerror(reason)) != std::string::npos)
            return true;
    const Descriptor probe = openFile(m_folder / "probe", O_WRONLY | O_CREAT);
    const std::string bytes(4096, 'x');
    return !probe || write(probe.number(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size());
}

Tree Job::output(std::uint64_t out, std::uint64_t err, const std::stop_token& stop)
{
    const Clock::time_point lastMoment = Clock::now() + kMostWait;
    for (;;) {
        bool hasEnded = false;
        {
            std::unique_lock lock(m_mutex);
            m_news.wait_for(lock, kLook, [&] { return m_hasEnded; });
            hasEnded = m_hasEnded;  // first: whatever it printed is there then
        }
        const std::string outBytes = pieceOf(m_folder / "out", out);
        const std::string errBytes = pieceOf(m_folder / "err", err);
        const bool isAll = hasEnded && outBytes.size() < kPiece && errBytes.size() < kPiece;
        if (isAll || !outBytes.empty() || !errBytes.empty() || Clock::now() > lastMoment ||
            stop.stop_requested())
            return {
                {"known", true}, {"out", bytesTree(outBytes)}, {"err", bytesTree(errBytes)}, {"all", isAll}};
    }
}

Tree Job::fetch(std::size_t file, std::uint64_t at) const
{
    return {{"known", true}, {"bytes", bytesTree(pieceOf(pathOf(file), at))}};
}

void Job::interrupt()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isInterrupted = true;
    }
    signal(SIGINT);
}

void Job::signal(int number)
{
    const std::lock_guard lock(m_mutex);
    if (m_process > 0)
        kill(-m_process, number);  // and what it has started, as a terminal does
}

}  // namespace hs::app
