#pragma once

#include "control/document/findings.h"
#include "engine/request/run_result.h"

#include <functional>

namespace hs::test {

/// Made-up results, for tests of what shows them. In the made-up model each head matters less than the
/// one before it, and every third one has the opposite effect.
class MadeUpAnalyses {
public:
    using Run = std::function<engine::RunResult(const service::SideRequest&)>;
    using Map = std::function<std::vector<float>(const service::SideRequest&, HeadId)>;  // [query, key]

    MadeUpAnalyses(const service::AnalysisRequest& request, Run run, Map map);

    service::AnalysisResult result() const;
    /// Of only the first half of the units if partial.
    analyses::Sweep sweep(bool isPartial) const;
    analyses::Circuit circuit(bool isPartial) const;
    analyses::History history(bool isPartial) const;

private:
    engine::Attribution attribution() const;
    stats::HeadScatter scatter() const;
    analyses::Comparison comparison() const;
    stats::TokenFlow flow() const;
    features::EdgeHeads edgeHeads() const;
    service::PromptLens lens() const;
    engine::Saliency saliency() const;
    service::HeadWords headWords() const;
    int tokens() const { return static_cast<int>(m_run.tokens.size()); }

    const service::AnalysisRequest& m_request;
    HeadShape m_shape;
    Run m_runOf;
    Map m_mapOf;
    engine::RunResult m_run;
};

}  // namespace hs::test
