#include "service/machines.h"

#include "remote/ssh_line.h"
#include "service/far_call.h"

namespace hs::service {

Machines::Machines() : Machines([](const std::string& host) { return remote::openSshLine({host, {}}); }) {}

Machines::Machines(Dial dial) : m_dial(std::move(dial)) {}

Machines::~Machines() = default;

void Machines::onChange(Changed changed)
{
    const std::scoped_lock lock(m_changedMutex);
    m_changed = std::move(changed);
}

std::shared_ptr<remote::Connection> Machines::lineTo(const std::string& host)
{
    const std::scoped_lock lock(m_mutex);
    std::shared_ptr<remote::Connection>& line = m_lines[host];
    if (!line)
        line = std::make_shared<remote::Connection>([this, host] { return m_dial(host); },
                                                    [this, host](const remote::Connection::State& state) {
                                                        const std::scoped_lock changing(m_changedMutex);
                                                        if (m_changed)
                                                            m_changed({host, state});
                                                    });
    return line;
}

std::vector<Machines::Machine> Machines::all() const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Machine> machines;
    for (const auto& [host, line] : m_lines)
        machines.push_back({host, line->state()});
    return machines;
}

void Machines::retryNow()
{
    const std::scoped_lock lock(m_mutex);
    for (const auto& [host, line] : m_lines)
        line->retryNow();
}

void Machines::nudge()
{
    const std::scoped_lock lock(m_mutex);
    for (const auto& [host, line] : m_lines)
        line->nudge();
}

Result<FarFolder> Machines::list(const std::string& host, const std::string& path, const Hooks& hooks)
{
    return guarded([&] {
        const remote::Tree answer = orThrow(
            lineTo(host)->call({{"do", wordOf(FarCall::List)}, {"own", true}, {"path", path}}, hooks));
        return farFolderFrom(remote::reader(answer));
    });
}

}  // namespace hs::service
