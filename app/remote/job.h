#pragma once

#include "app/remote/job_call.h"
#include "remote/tree.h"

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace hs::app {

/// Removes a folder and all in it, as far as that is allowed.
void removeFolder(const std::filesystem::path& folder);

/// A command that the daemon runs for a client: a process, and a private folder with its files and with what it
/// prints. The folder goes with it. Calls may come from several threads; all throw Failure.
class Job {
public:
    Job(std::filesystem::path folder, std::vector<JobFile> files);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    const std::filesystem::path& folder() const { return m_folder; }

    void put(std::size_t file, std::uint64_t at, std::span<const std::uint8_t> bytes);

    struct Order {
        std::vector<std::string> words;        // the program and its arguments
        std::vector<std::string> environment;  // what differs
        std::optional<std::size_t> input;      // the file that is its standard input
    };
    /// Runs it to its end, once: "exit", "files" that it wrote, "problem" if this machine had one. A stop asks
    /// it to end, and ends it.
    remote::Tree run(const Order& order, const std::stop_token& stop);
    /// What it has printed from these offsets on. Waits a while for more than nothing.
    remote::Tree output(std::uint64_t out, std::uint64_t err, const std::stop_token& stop);
    remote::Tree fetch(std::size_t file, std::uint64_t at) const;
    /// As Ctrl-C on its terminal.
    void interrupt();

private:
    /// Tells whether a file was written.
    struct Stamp {
        std::uint64_t number = 0, bytes = 0;
        std::int64_t seconds = 0, nanoseconds = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };

    remote::Tree runToEnd(const Order& order, const std::stop_token& stop);
    void lay(std::size_t index) const;
    std::filesystem::path pathOf(std::size_t file) const;
    static std::optional<Stamp> stampOf(const std::filesystem::path& file);
    int await(pid_t child, const std::stop_token& stop);
    remote::Tree report(int exitCode, const std::vector<std::optional<Stamp>>& before) const;
    void signal(int number);
    [[noreturn]] void refuseDisk() const;
    bool isDiskFull() const;

    const std::filesystem::path m_folder;
    const std::vector<JobFile> m_files;
    std::mutex m_mutex;  // of what follows
    std::condition_variable m_news;
    pid_t m_process = 0;  // while it runs
    bool m_hasEnded = false;
    bool m_isInterrupted = false;
};

}  // namespace hs::app
