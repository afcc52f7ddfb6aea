#include "control/session/session_results.h"

#include "analyses/analysis_json.h"

namespace hs::control {
namespace {

constexpr std::size_t kMostResults = 64;

}  // namespace

nlohmann::ordered_json writeResults(const std::vector<KeptResult>& results)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const KeptResult& kept : results) {
        nlohmann::ordered_json entry = {{"key", kept.key}};
        if (const auto* const sweep = std::get_if<analyses::Sweep>(kept.result.get()))
            entry["sweep"] = analyses::toJson(*sweep);
        else if (const auto* const circuit = std::get_if<analyses::Circuit>(kept.result.get()))
            entry["circuit"] = analyses::toJson(*circuit);
        else
            continue;  // the others are quick to compute
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<KeptResult> readResults(const JsonReader& list)
{
    std::vector<KeptResult> results;
    for (const JsonReader& entry : list.items()) {
        if (results.size() == kMostResults)
            list.bad("holds more results than a session has");
        service::AnalysisResult result =
            entry["sweep"] ? service::AnalysisResult(analyses::sweepFrom(entry["sweep"]))
                           : service::AnalysisResult(analyses::circuitFrom(entry["circuit"]));
        results.push_back(
            {entry["key"].text(), std::make_shared<const service::AnalysisResult>(std::move(result))});
    }
    return results;
}

}  // namespace hs::control
