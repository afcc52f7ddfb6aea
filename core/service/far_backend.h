#pragma once

#include "remote/connection.h"
#include "service/backend.h"

#include <array>
#include <list>
#include <memory>

namespace hs::service {

/// The Backend of another machine. Everything is computed there; tokenizers are kept here, so that texts of
/// tokens need no question. Holds no state there that could be lost: every request names its models.
class FarBackend : public Backend {
public:
    /// `host` is how people call the machine.
    FarBackend(std::string host, std::shared_ptr<remote::Connection> connection);

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
    /// A result that both ends have: the next one travels as the difference to it.
    struct Known {
        std::int64_t number = 0;
        std::shared_ptr<const SideResult> result;
    };

    std::shared_ptr<const text::Tokenizer> tokenizer(const OpenRequest& request,
                                                     const std::string& fingerprint, const Hooks& hooks);

    /// The request with the prompts of its set, which that machine cannot read.
    SideRequest sent(SideRequest request);
    SetSource sent(const SetSource& source);

    std::string m_host;
    std::shared_ptr<remote::Connection> m_connection;
    std::list<std::weak_ptr<const OpenModel>> m_models;  // opened, and perhaps still wanted
    std::map<std::string, std::weak_ptr<const text::Tokenizer>>
        m_tokenizers;                      // by the fingerprint of their model
    std::array<Known, 2> m_known;          // [Side]
    std::array<SetSource, 2> m_sets = {};  // the latest one, and the same with its prompts
};

}  // namespace hs::service
