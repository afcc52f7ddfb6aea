#include "app/commands/demo_features.h"

#include "app/support/circuit_table.h"
#include "app/support/messages.h"
#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "engine/request/gate_choice.h"
#include "features/graph/edge_heads.h"
#include "features/graph/token_sources.h"
#include "train/task_suite.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

constexpr int kCrossingPrompts = 12;
constexpr double kCrossingShare = 0.8;
constexpr const char* kPair[] = {"demo:dense", "demo:sparse"};

/// The demo pair with its transcoders.
class CrossingSearch {
public:
    explicit CrossingSearch(const std::string& device) : m_progress("Graph"), m_stop(interruptToken())
    {
        for (const char* const where : kPair) {
            m_models.push_back(openWorkspace({where, device, "f32"}));
            requireTaskWords(m_models.back().tokenizer.get(), where);
            m_coders.push_back(orThrow(
                features::openTranscoders(codersFolder(m_models.back(), {}), m_models.back().model->spec())));
        }
    }

    DemoCrossings find(train::Task task)
    {
        std::array<std::vector<double>, 2> heads;
        for (int number = 0; number < kCrossingPrompts; ++number) {
            if (const auto report = m_progress.callback())
                report(m_done++, train::kTaskCount * kCrossingPrompts);
            const train::TaskPrompt prompt =
                m_suite.prompt(task, train::Split::HeldOut, static_cast<std::uint64_t>(number));
            std::optional<int> key;  // the sparse model chooses it
            for (const std::size_t model : {1, 0})
                if (const std::optional<int> count = headsOf(prompt, model, key))
                    heads[model].push_back(*count);
        }
        return {std::string(train::taskName(task)),
                {stats::estimateOf(heads[0]), stats::estimateOf(heads[1])}};
    }

private:
    std::optional<int> headsOf(const train::TaskPrompt& prompt, std::size_t model, std::optional<int>& key)
    {
        const train::TaskAnswer& answer = prompt.answers.back();
        features::GraphRequest request;
        request.run.model = m_models[model].model;
        request.run.gate = engine::chooseGate({}, request.run.model->spec().gateBias);
        request.run.tokens.assign(prompt.tokens.begin(), prompt.tokens.begin() + answer.position);
        request.coders = m_coders[model];
        const Hooks hooks{{}, m_stop};
        const features::Graph graph = orThrow(features::makeGraph(request, hooks));
        const auto crossing = crossingFrom(graph, tokenSources(graph), key);
        if (!crossing)
            return std::nullopt;
        key = crossing->source.position;
        std::vector<features::NodeId> sources;
        for (const int node : crossing->source.nodes)
            sources.push_back(idOf(graph.nodes[static_cast<std::size_t>(node)]));
        const features::NodeId target = idOf(graph.nodes[static_cast<std::size_t>(crossing->target)]);
        return headsForShare(orThrow(features::headsOfEdge(request, sources, {target}, hooks)),
                             kCrossingShare);
    }

    train::TaskSuite m_suite;
    std::vector<engine::Workspace> m_models;
    std::vector<std::shared_ptr<const features::Transcoders>> m_coders;
    ProgressLine m_progress;
    std::stop_token m_stop;
    int m_done = 0;
};

std::string meanCell(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return std::isfinite(value) ? text : "-";
}

/// All tasks together, each counting alike.
DemoCrossings overall(const std::vector<DemoCrossings>& tasks)
{
    DemoCrossings all{"all tasks", {}};
    for (const std::size_t model : {0, 1}) {
        std::vector<double> means;
        for (const DemoCrossings& task : tasks)
            if (std::isfinite(task.heads[model].mean))
                means.push_back(task.heads[model].mean);
        all.heads[model] = stats::estimateOf(means);
    }
    return all;
}

}  // namespace

std::vector<DemoCrossings> measureDemoCrossings(const std::string& device)
{
    CrossingSearch search(device);
    std::vector<DemoCrossings> tasks;
    for (int task = 0; task < train::kTaskCount; ++task)
        tasks.push_back(search.find(static_cast<train::Task>(task)));
    return tasks;
}

std::string crossingsTable(const std::vector<DemoCrossings>& tasks)
{
    TextTable table;
    table.add("heads for " + std::to_string(std::lround(100 * kCrossingShare)) +
                  " % of the strongest line, mean of " + std::to_string(kCrossingPrompts) + " prompts",
              {kPair[0], kPair[1], "factor"});
    const auto add = [&](const DemoCrossings& task) {
        const double dense = task.heads[0].mean, sparse = task.heads[1].mean;
        table.add(task.task,
                  {meanCell(dense), meanCell(sparse), meanCell(sparse > 0 ? dense / sparse : NAN)});
    };
    for (const DemoCrossings& task : tasks)
        add(task);
    add(overall(tasks));
    return table.text();
}

Json toJson(const std::vector<DemoCrossings>& tasks)
{
    const auto row = [](const DemoCrossings& task) {
        const auto side = [](const stats::Estimate& spread) {
            return Json{{"mean", numberOrNull(spread.mean)},
                        {"sd", numberOrNull(spread.deviation)},
                        {"prompts", spread.count}};
        };
        return Json{{"task", task.task},
                    {"dense", side(task.heads[0])},
                    {"sparse", side(task.heads[1])},
                    {"factor", factorOf(task.heads[0].mean, task.heads[1].mean)}};
    };
    Json rows = Json::array();
    for (const DemoCrossings& task : tasks)
        rows.push_back(row(task));
    const DemoCrossings all = overall(tasks);
    return {{"prompts_each", kCrossingPrompts},
            {"share", kCrossingShare},
            {"tasks", std::move(rows)},
            {"factor", factorOf(all.heads[0].mean, all.heads[1].mean)}};
}

}  // namespace hs::app
