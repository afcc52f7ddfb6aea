#pragma once

#include "remote/connection.h"
#include "service/far_models.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hs::service {

/// The lines to other machines, one for each host, opened when first asked for and kept. For any thread.
class Machines {
public:
    struct Machine {
        std::string host;
        remote::Connection::State state;
    };
    /// Opens the way to a host.
    using Dial = std::function<std::unique_ptr<remote::Line>(const std::string& host)>;
    /// Called on threads of the lines; may not use the machines.
    using Changed = std::function<void(const Machine&)>;

    /// By ssh.
    Machines();
    explicit Machines(Dial dial);
    ~Machines();

    void onChange(Changed changed);
    std::shared_ptr<remote::Connection> lineTo(const std::string& host);
    /// All that were asked for.
    std::vector<Machine> all() const;
    /// Tries lost lines at once.
    void retryNow();
    /// The user does something: keeps the lines awake.
    void nudge();

    /// A folder over there; an empty path is the user's home.
    Result<FarFolder> list(const std::string& host, const std::string& path, const Hooks& hooks);

private:
    Dial m_dial;
    mutable std::mutex m_mutex;
    std::mutex m_changedMutex;
    Changed m_changed;
    std::map<std::string, std::shared_ptr<remote::Connection>> m_lines;  // by host; last: they call m_changed
};

}  // namespace hs::service
