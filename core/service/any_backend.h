#pragma once

#include "service/engine_backend.h"
#include "service/far_backend.h"
#include "service/machines.h"
#include "service/maps_backend.h"

#include <map>

namespace hs::service {

/// The Backend of this machine and all others: each request goes to where its models are, or to the maps that it
/// is about.
class AnyBackend : public Backend {
public:
    explicit AnyBackend(std::shared_ptr<Machines> machines = std::make_shared<Machines>());

    void prepare(const std::string& device) override { m_here.prepare(device); }
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

private:
    /// Of the machine that has the source, or of files of maps.
    Backend& backendOf(const std::string& source);
    Backend& backendOf(const SideRequest& request);

    std::shared_ptr<Machines> m_machines;
    EngineBackend m_here;
    MapsBackend m_maps;
    std::map<std::string, FarBackend> m_far;  // by host
};

}  // namespace hs::service
