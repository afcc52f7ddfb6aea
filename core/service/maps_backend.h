#pragma once

#include "service/backend.h"

namespace hs::service {

/// The Backend over files of attention maps, which have weights and nothing to compute with.
class MapsBackend : public Backend {
public:
    Result<std::shared_ptr<const OpenModel>> open(const OpenRequest& request, const Hooks& hooks) override;
    Result<SideResult> run(Side side, const SideRequest& request, const Hooks& hooks,
                           const OnRunPart& onPart) override;
    Result<GeneratedText> generate(Side side, const SideRequest& request, const GenerationSetup& setup,
                                   const Hooks& hooks, const OnRunPart& onStep) override;
    Result<engine::LayerMap> maps(const SideRequest& request, const MapQuery& query,
                                  const Hooks& hooks) override;
    Result<stats::PooledMaps> pooledMaps(Side side, const SideRequest& request, engine::MapKind kind,
                                         const Hooks& hooks) override;
    Result<std::vector<float>> cellWeights(Side side, const SideRequest& request, int query, int key,
                                           const Hooks& hooks) override;
    Result<AnalysisResult> analyse(const AnalysisRequest& request, const Hooks& hooks,
                                   const OnAnalysisPart& onPart) override;
    Result<FeatureLabels> keepLabels(const std::shared_ptr<const OpenModel>& model, const std::string& coders,
                                     const FeatureLabels& labels, const Hooks& hooks) override;
    Result<analyses::DeviceCheck> checkDevice(const std::shared_ptr<const OpenModel>& model,
                                              const std::vector<std::int64_t>& tokens,
                                              const Hooks& hooks) override;
};

/// Tiles of at most `tileSide` and the statistics of all heads, from one pass over the file. `onLayer` receives
/// what is done so far after each layer. Throws Failure.
engine::RunResult summarizeMaps(const maps::Block& block, int tileSide, double threshold, const Hooks& hooks,
                                const std::function<void(const engine::RunResult&)>& onLayer = {});

/// Tokens of maps; equal texts have equal ids, in all files.
std::vector<text::Token> tokensOf(const std::vector<std::string>& texts);

}  // namespace hs::service
