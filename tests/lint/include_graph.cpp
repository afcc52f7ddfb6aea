#include "lint/include_graph.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace hs::lint {
namespace {

/// Walks the graph depth first and remembers the path.
class CycleSearch {
public:
    explicit CycleSearch(const IncludeGraph& graph) : m_graph(graph) {}

    Findings run()
    {
        for (const auto& [folder, uses] : m_graph)
            visit(folder);
        return m_findings;
    }

private:
    void visit(const std::string& folder)
    {
        if (const auto start = std::ranges::find(m_way, folder); start != m_way.end())
            return report({start, m_way.end()});
        if (!m_seen.insert(folder).second)
            return;
        m_way.push_back(folder);
        for (const auto& [used, include] : m_graph.at(folder))
            visit(used);
        m_way.pop_back();
    }

    void report(const std::vector<std::string>& circle)
    {
        std::string text = "folders include each other in a circle:";
        for (std::size_t index = 0; index < circle.size(); ++index) {
            const std::string& next = circle[(index + 1) % circle.size()];
            const Include& include = m_graph.at(circle[index]).at(next);
            text += "\n  " + circle[index] + " → " + next + ": " + include.from + ":" +
                    std::to_string(include.line) + " includes " + include.text;
        }
        m_findings.push_back(text);
    }

    const IncludeGraph& m_graph;
    std::vector<std::string> m_way;
    std::set<std::string> m_seen;
    Findings m_findings;
};

}  // namespace

IncludeGraph folderGraph(const std::vector<Include>& includes)
{
    IncludeGraph graph;
    for (const Include& include : includes) {
        if (include.from.starts_with("tests/"))
            continue;
        auto& uses = graph[folderOf(include.from)];
        if (include.target.empty() || include.target.starts_with("tests/"))
            continue;
        graph[folderOf(include.target)];
        if (folderOf(include.target) != folderOf(include.from))
            uses.try_emplace(folderOf(include.target), include);
    }
    return graph;
}

Findings checkCycles(const IncludeGraph& graph)
{
    return CycleSearch(graph).run();
}

std::string printedLayers(const IncludeGraph& graph)
{
    std::ostringstream text;
    std::set<std::string> placed;
    for (int layer = 1; placed.size() < graph.size(); ++layer) {
        std::vector<std::string> next;
        for (const auto& [folder, uses] : graph)
            if (!placed.contains(folder) &&
                std::ranges::all_of(uses, [&](const auto& use) { return placed.contains(use.first); }))
                next.push_back(folder);
        if (next.empty())
            break;  // the rest is in circles or above them
        for (const std::string& folder : next) {
            text << layer << "  " << folder << (graph.at(folder).empty() ? "" : " uses");
            for (const auto& [used, include] : graph.at(folder))
                text << " " << used;
            text << "\n";
        }
        placed.insert(next.begin(), next.end());
    }
    return text.str();
}

}  // namespace hs::lint
