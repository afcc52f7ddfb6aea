#pragma once

#include "app/remote/job.h"
#include "remote/handler.h"
#include "service/engine_handler.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

namespace hs::app {

/// Answers one client of the daemon: runs its commands, and is the engine of its window.
class ServeHandler : public remote::Handler {
public:
    /// `program` is what runs commands; each has a folder of its own in `folder`.
    ServeHandler(std::string program, std::filesystem::path folder);

    remote::Tree answer(const remote::Tree& request, const Hooks& hooks,
                        const std::function<void(remote::Tree)>& onPart) override;
    void rest() override { m_engine.rest(); }

private:
    remote::Tree begin(const JsonReader& request);
    remote::Tree answerFor(Job& job, JobCall call, const JsonReader& request, const std::stop_token& stop);
    remote::Tree run(Job& job, const JsonReader& request, const std::stop_token& stop) const;

    const std::string m_program;
    const std::filesystem::path m_folder;
    service::EngineHandler m_engine;
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Job>> m_jobs;  // by name
};

}  // namespace hs::app
