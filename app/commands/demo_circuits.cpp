#include "app/commands/demo_circuits.h"

#include "app/support/circuit_table.h"
#include "app/support/messages.h"
#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "engine/request/gate_choice.h"
#include "train/task_suite.h"

#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

constexpr train::Task kTasks[] = {train::Task::IndirectObject, train::Task::GreaterThan,
                                  train::Task::Opposite, train::Task::Addition};
constexpr const char* kModels[] = {"demo:dense", "demo:sparse"};

/// The circuits of the demo pair, one model after another on the same pairs.
class DemoSearch {
public:
    explicit DemoSearch(const DemoCircuitOptions& options)
        : m_options(options), m_progress("Circuit"), m_stop(interruptToken()),
          m_total(static_cast<int>(std::size(kTasks) * std::size(kModels)) * 2 * options.pairsEach)
    {
        for (const char* const where : kModels) {
            m_models.push_back(openWorkspace({where, options.device, "f32"}));
            requireTaskWords(m_models.back().tokenizer.get(), where);
        }
    }

    DemoCircuits find(train::Task task)
    {
        DemoCircuits found;
        found.task = train::taskName(task);
        for (std::size_t model = 0; model < m_models.size(); ++model) {
            found.heads[model] = sizes(task, model, analyses::CircuitUnits::Heads);
            found.edges[model] = sizes(task, model, analyses::CircuitUnits::Edges);
        }
        return found;
    }

private:
    CircuitSizes sizes(train::Task task, std::size_t model, analyses::CircuitUnits units)
    {
        std::vector<double> smallest;
        std::vector<double> refined;
        engine::Engine engine;
        for (int number = 0; number < m_options.pairsEach; ++number) {
            if (const auto report = m_progress.callback())
                report(m_done, m_total);
            const analyses::CircuitRequest request = requestOf(task, number, model, units);
            const analyses::Circuit circuit = orThrow(analyses::findCircuit(engine, request, {{}, m_stop}));
            smallest.push_back(circuit.smallest);
            refined.push_back(static_cast<double>(circuit.refined.size()));
            ++m_done;
        }
        return {stats::estimateOf(smallest), stats::estimateOf(refined)};
    }

    analyses::CircuitRequest requestOf(train::Task task, int number, std::size_t model,
                                       analyses::CircuitUnits units) const
    {
        const train::TaskPair pair = m_suite.pair(task, static_cast<std::uint64_t>(number));
        analyses::CircuitRequest request;
        request.clean.model = request.corrupted.model = m_models[model].model;
        request.clean.gate = request.corrupted.gate =
            engine::chooseGate({}, m_models[model].model->spec().gateBias);
        request.clean.tokens = pair.clean;
        request.corrupted.tokens = pair.corrupted;
        request.target = pair.target;
        request.versus = pair.versus;
        request.level = m_options.level;
        request.units = units;
        request.ranking = m_options.ranking;
        request.isRefined = true;
        return request;
    }

    const DemoCircuitOptions& m_options;
    train::TaskSuite m_suite;
    std::vector<engine::Workspace> m_models;
    ProgressLine m_progress;
    std::stop_token m_stop;
    int m_done = 0;
    int m_total;
};

std::string shareCell(const char* format, double value)
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::isfinite(value) ? text : "-";
}

double factor(const stats::Estimate& dense, const stats::Estimate& sparse)
{
    return sparse.mean > 0 ? dense.mean / sparse.mean : NAN;
}

void addRow(TextTable& table, const std::string& name, const stats::Estimate& dense,
            const stats::Estimate& sparse)
{
    table.add(name, {shareCell("%.1f", dense.mean), shareCell("%.1f", sparse.mean),
                     shareCell("%.1f", factor(dense, sparse))});
}

Json rowJson(const stats::Estimate& dense, const stats::Estimate& sparse)
{
    const auto side = [](const stats::Estimate& spread) {
        return Json{{"mean", numberOrNull(spread.mean)}, {"sd", numberOrNull(spread.deviation)}};
    };
    return {{"dense", side(dense)}, {"sparse", side(sparse)}, {"factor", factorOf(dense.mean, sparse.mean)}};
}

}  // namespace

std::vector<DemoCircuits> measureDemoCircuits(const DemoCircuitOptions& options)
{
    DemoSearch search(options);
    std::vector<DemoCircuits> tasks;
    for (const train::Task task : kTasks)
        tasks.push_back(search.find(task));
    return tasks;
}

std::string circuitsTable(const std::vector<DemoCircuits>& tasks, const DemoCircuitOptions& options)
{
    TextTable table;
    table.add("smallest circuit at level " + shareCell("%g", options.level) + ", mean of " +
                  std::to_string(options.pairsEach) + " pairs",
              {kModels[0], kModels[1], "factor"});
    for (const DemoCircuits& task : tasks) {
        addRow(table, task.task + ", heads", task.heads[0].smallest, task.heads[1].smallest);
        addRow(table, task.task + ", heads, refined", task.heads[0].refined, task.heads[1].refined);
        addRow(table, task.task + ", edges", task.edges[0].smallest, task.edges[1].smallest);
        addRow(table, task.task + ", edges, refined", task.edges[0].refined, task.edges[1].refined);
    }
    return table.text();
}

Json toJson(const std::vector<DemoCircuits>& tasks, const DemoCircuitOptions& options)
{
    Json rows = Json::array();
    for (const DemoCircuits& task : tasks)
        rows.push_back({{"task", task.task},
                        {"heads", rowJson(task.heads[0].smallest, task.heads[1].smallest)},
                        {"heads_refined", rowJson(task.heads[0].refined, task.heads[1].refined)},
                        {"edges", rowJson(task.edges[0].smallest, task.edges[1].smallest)},
                        {"edges_refined", rowJson(task.edges[0].refined, task.edges[1].refined)}});
    return {{"pairs_each", options.pairsEach},
            {"level", options.level},
            {"ranking", wordOf(options.ranking)},
            {"tasks", std::move(rows)}};
}

}  // namespace hs::app
