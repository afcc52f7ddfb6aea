#include "service/engine_need.h"

namespace hs::service {

std::string whyNoRun(const OpenModel& model)
{
    return model.maps
               ? "These maps come from a file, and this takes the model that made them; open the model "
                 "itself."
               : "";
}

std::string whyNotPossible(const OpenModel& model, engine::MapKind kind)
{
    return kind == engine::MapKind::Weights ? "" : whyNoRun(model);
}

std::string whyNotPossible(const OpenModel& model, AnalysisKind kind)
{
    switch (kind) {
    case AnalysisKind::Sweep:
    case AnalysisKind::Circuit:
    case AnalysisKind::Attribution:
    case AnalysisKind::Graph:
    case AnalysisKind::EdgeHeads:
    case AnalysisKind::Prompts:
    case AnalysisKind::Lens:
    case AnalysisKind::Saliency:
    case AnalysisKind::HeadWords:
    case AnalysisKind::History: return whyNoRun(model);
    case AnalysisKind::Flow:
        if (model.maps && !model.maps->facts().pattern.isSquare())
            return "Flow follows tokens from layer to layer, and here queries and keys are different tokens; "
                   "choose maps with as many keys as queries.";
        return "";
    case AnalysisKind::Scatter:
    case AnalysisKind::Compare: break;
    }
    return "";
}

}  // namespace hs::service
