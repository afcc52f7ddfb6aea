#include "app/remote/serve_handler.h"

#include "app/support/far_job.h"
#include "remote/hello.h"
#include "service/far_call.h"

namespace hs::app {
namespace {

using remote::Tree;

constexpr int kMostFiles = 64;
constexpr double kFarthest = 1e15;  // bytes
constexpr std::size_t kLongestName = 255;

std::uint64_t offsetIn(const JsonReader& place)
{
    return static_cast<std::uint64_t>(place.number(0, kFarthest));
}

std::vector<JobFile> filesIn(const JsonReader& list)
{
    std::vector<JobFile> files;
    for (const JsonReader& entry : list.items()) {
        files.push_back({entry["name"].text(), entry["place"].word<Place>()});
        const std::string& name = files.back().name;
        if (name.find('/') != std::string::npos || name == "." || name == ".." ||
            name.size() > kLongestName || name.find('\0') != std::string::npos || files.size() > kMostFiles)
            entry.bad("is no name of a file");
    }
    return files;
}

std::size_t fileIn(const JsonReader& place)
{
    return static_cast<std::size_t>(place.integer(0, kMostFiles - 1));
}

}  // namespace

ServeHandler::ServeHandler(std::string program, std::filesystem::path folder)
    : m_program(std::move(program)), m_folder(std::move(folder))
{
}

Tree ServeHandler::answer(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart)
{
    const JsonReader reader = remote::reader(request);
    const std::string what = reader["do"].text();
    const std::optional<JobCall> call = fromWord<JobCall>(what);
    if (!call) {
        if (what == wordOf(service::FarCall::Open))
            requireComputeNode(reader["model"]["source"].text());
        return m_engine.answer(request, hooks, onPart);
    }
    if (*call == JobCall::Begin)
        return begin(reader);
    std::shared_ptr<Job> job;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_jobs.find(reader["job"].text());
        if (found == m_jobs.end())
            return {{"known", false}};  // of a daemon before this one
        job = found->second;
    }
    return answerFor(*job, *call, reader, hooks.stop);
}

Tree ServeHandler::begin(const JsonReader& request)
{
    const std::string name = remote::randomToken();
    const auto job = std::make_shared<Job>(m_folder / name, filesIn(request["files"]));
    const std::lock_guard lock(m_mutex);
    m_jobs.emplace(name, job);
    return {{"job", name}, {"folder", job->folder().string()}};
}

Tree ServeHandler::answerFor(Job& job, JobCall call, const JsonReader& request, const std::stop_token& stop)
{
    switch (call) {
    case JobCall::Put: {
        const JsonReader bytes = request["bytes"];
        const std::size_t count = bytes.json().is_binary() ? bytes.json().get_binary().size() : 0;
        job.put(fileIn(request["file"]), offsetIn(request["at"]), remote::readBytes(bytes, count));
        break;
    }
    case JobCall::Command: return run(job, request, stop);
    case JobCall::Output: return job.output(offsetIn(request["out"]), offsetIn(request["err"]), stop);
    case JobCall::Fetch: return job.fetch(fileIn(request["file"]), offsetIn(request["at"]));
    case JobCall::Interrupt: job.interrupt(); break;
    case JobCall::Begin: break;
    }
    return {{"known", true}};
}

Tree ServeHandler::run(Job& job, const JsonReader& request, const std::stop_token& stop) const
{
    Job::Order order;
    order.words = {m_program};
    for (const JsonReader& word : request["words"].items())
        order.words.push_back(word.text());
    if (request["input"])
        order.input = fileIn(request["input"]);
    order.environment = farJobEnvironment(request["terminal"].flag(false), request["debug"].flag(false));
    return job.run(order, stop);
}

}  // namespace hs::app
