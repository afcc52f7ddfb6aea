#include "control/session_results.h"

#include "base/json_reader.h"
#include "control/stored_names.h"
#include "engine/analysis_json.h"

namespace hs {
namespace {

constexpr std::size_t kMostResults = 64;

}  // namespace

nlohmann::ordered_json writeResults(const std::vector<KeptResult>& results)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const KeptResult& kept : results) {
        nlohmann::ordered_json entry = {{"key", kept.key}};
        if (const auto* const sweep = std::get_if<Sweep>(kept.result.get()))
            entry["sweep"] = toJson(*sweep);
        else if (const auto* const circuit = std::get_if<Circuit>(kept.result.get()))
            entry["circuit"] = toJson(*circuit);
        else
            continue;  // the others are computed in a moment
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<KeptResult> readResults(const Json& json, const std::string& file)
{
    const JsonReader reader(json, file, "open another file or a copy of it");
    std::vector<KeptResult> results;
    for (const Json& item : reader.list("results")) {
        const JsonReader entry = reader.item(item);
        if (results.size() == kMostResults)
            entry.bad("more results than a session has");
        AnalysisResult result = entry.has("sweep") ? AnalysisResult(sweepFrom(entry.at("sweep"), file))
                                                   : AnalysisResult(circuitFrom(entry.at("circuit"), file));
        results.push_back({entry.text("key"), std::make_shared<const AnalysisResult>(std::move(result))});
    }
    return results;
}

}  // namespace hs
