#pragma once

#include "control/analysis.h"
#include "engine/run_result.h"

#include <functional>

namespace hs::test {

/// Results that no engine found, for tests of what shows them. In the made-up model each head matters
/// less than the one before it and every third one pulls the other way.
class MadeUpAnalyses {
public:
    using Run = std::function<RunResult(const SideRequest&)>;
    using Map = std::function<std::vector<float>(const SideRequest&, HeadId)>;  // [query, key]

    MadeUpAnalyses(const AnalysisRequest& request, Run run, Map map);

    AnalysisResult result() const;
    /// Of the first half of the units alone where it is partial.
    Sweep sweep(bool isPartial) const;
    Circuit circuit(bool isPartial) const;

private:
    Attribution attribution() const;
    HeadScatter scatter() const;
    Comparison comparison() const;
    TokenFlow flow() const;
    int tokens() const { return static_cast<int>(m_run.tokens.size()); }

    const AnalysisRequest& m_request;
    HeadShape m_shape;
    Run m_runOf;
    Map m_mapOf;
    RunResult m_run;
};

}  // namespace hs::test
