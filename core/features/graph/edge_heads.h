#pragma once

#include "base/cell_id.h"
#include "base/head_id.h"
#include "features/graph/graph.h"

#include <utility>

namespace hs::features {

/// What one cell of a head's pattern carries of an edge.
struct CellLoad {
    HeadId head;
    CellId cell;
    double load = 0;

    friend bool operator==(const CellLoad&, const CellLoad&) = default;
};

/// How an edge travels from its source to its target.
struct EdgeHeads {
    /// The attention of a layer divides an edge into these.
    struct Cut {
        double heads = 0;    // carried by the layer's heads
        double bypass = 0;   // past them
        double later = 0;    // enters the stream behind them
        double earlier = 0;  // read by targets of earlier layers

        friend bool operator==(const Cut&, const Cut&) = default;
    };
    HeadShape shape;
    double edge = 0;
    std::vector<Cut> cuts;        // [layer] each adds up to the edge
    std::vector<double> loads;    // [layer * head], chains of heads included
    std::vector<double> direct;   // [layer * head], of paths through this head alone
    std::vector<CellLoad> cells;  // largest first
    double noHead = 0;            // of paths through no head
    double chains = 0;            // of paths through two or more

    friend bool operator==(const EdgeHeads&, const EdgeHeads&) = default;
};

/// Says of edges of one run how they travel; the run is made once.
class EdgeTracer {
public:
    static Result<EdgeTracer> open(const GraphRequest& request, const Hooks& hooks = {});
    EdgeTracer(EdgeTracer&& other) noexcept;
    ~EdgeTracer();

    /// Sources are one supernode: their members are added first, and so are those of the targets.
    Result<EdgeHeads> headsOf(const std::vector<NodeId>& sources, const std::vector<NodeId>& targets) const;

private:
    struct Held;
    explicit EdgeTracer(std::unique_ptr<const Held> held);

    std::unique_ptr<const Held> m_held;
};

/// The same of a single edge.
Result<EdgeHeads> headsOfEdge(const GraphRequest& request, const std::vector<NodeId>& sources,
                              const std::vector<NodeId>& targets, const Hooks& hooks = {});

/// Smallest number of heads, or cells, whose |load| reaches a share of all |load|.
int headsForShare(const EdgeHeads& edge, double share);
int cellsForShare(const EdgeHeads& edge, double share);

/// What two sources, one at the query and one at the key, add to a head's score.
struct ScorePair {
    NodeId query;
    NodeId key;
    double value = 0;

    friend bool operator==(const ScorePair&, const ScorePair&) = default;
};

/// Why a head attends: its score at a cell, before a soft cap, as a sum over pairs of sources.
struct ScoreParts {
    double score = 0;
    double constant = 0;                             // of the constants at both ends
    std::vector<ScorePair> pairs;                    // largest first
    std::vector<std::pair<NodeId, double>> queries;  // each source at the query with all at the key
    std::vector<std::pair<NodeId, double>> keys;     // and the other way round

    friend bool operator==(const ScoreParts&, const ScoreParts&) = default;
};

Result<ScoreParts> scoreParts(const GraphRequest& request, HeadId head, CellId cell, const Hooks& hooks = {});

}  // namespace hs::features
