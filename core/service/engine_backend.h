#pragma once

#include "analyses/set_overview.h"
#include "analyses/set_study.h"
#include "engine/load/open_model.h"
#include "service/backend.h"

#include <array>
#include <chrono>
#include <deque>

namespace hs::service {

/// The Backend over core. Weights that both sides use are held once. Each side has two engines, for the
/// run and for the run before ablation, so that both remember their layers.
class EngineBackend : public Backend {
public:
    /// A run tells its parts no more often than that.
    explicit EngineBackend(std::chrono::milliseconds partInterval = std::chrono::milliseconds(100))
        : m_partInterval(partInterval)
    {
    }

    void prepare(const std::string& device) override { engine::prepareDevice(device); }
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
    /// A run without ablations.
    struct Baseline {
        engine::RunRequest request;
        engine::RunResult result;
    };
    struct Engines {
        std::shared_ptr<const engine::Model> model;
        engine::Engine after;
        engine::Engine before;
        std::optional<Baseline> baseline;  // the latest
    };

    /// Every head's output on a prompt from which heads are patched.
    struct Patch {
        std::shared_ptr<const engine::Model> model;
        std::vector<std::int64_t> tokens;
        std::optional<engine::ScoreGate> gate;
        engine::AdapterUses adapters;
        bool tf32 = false;
        bool hasCells = false;
        std::shared_ptr<const engine::HeadOutputs> outputs;
    };

    struct OpenCoders {
        std::string folder;
        model::ArchSpec spec;
        std::shared_ptr<const features::Transcoders> coders;
    };

    /// What a side's scaled features write.
    struct Scaled {
        SideRequest request;  // as far as it matters
        engine::SharedWrites writes;
    };

    /// What is known of a set of prompts: work that was stopped goes on with it.
    struct StudiedSet {
        analyses::SetStudyKind kind = analyses::SetStudyKind::Metrics;
        SideRequest side;  // as far as it matters, without a prompt
        SetSource set;
        std::optional<analyses::SetAlign> align;
        analyses::SetOverview overview;
        analyses::SetResult result;

        bool isOfSame(const StudiedSet& other) const
        {
            return kind == other.kind && side == other.side && set == other.set && align == other.align;
        }
    };

    /// The side's engines, with nothing remembered from another model.
    Engines& enginesOf(Side side, const SideRequest& request);
    /// `request` changes nothing.
    const Baseline& baselineOf(Engines& engines, const engine::RunRequest& request, const Hooks& hooks);
    /// Gives replaced heads the outputs that replace theirs. Throws Failure.
    void patch(engine::RunRequest& run, const SideRequest& request, const Hooks& hooks);
    /// Lets the run write what scaled features ask for. Throws Failure.
    void scale(engine::RunRequest& run, const SideRequest& request, const Hooks& hooks);
    /// A side's request in the engine's terms, patched and scaled.
    engine::RunRequest runOf(const SideRequest& request, const Hooks& hooks);

    analyses::Sweep sweepOf(const AnalysisRequest& request, const Hooks& hooks, const OnAnalysisPart& onPart);
    analyses::Circuit circuitOf(const AnalysisRequest& request, const Hooks& hooks,
                                const OnAnalysisPart& onPart);
    engine::Attribution attributionOf(const AnalysisRequest& request, const Hooks& hooks);
    stats::TokenFlow flowOf(const AnalysisRequest& request, const Hooks& hooks);
    PromptLens lensOf(const AnalysisRequest& request, const Hooks& hooks);
    engine::Saliency saliencyOf(const AnalysisRequest& request, const Hooks& hooks);
    HeadWords headWordsOf(const AnalysisRequest& request, const Hooks& hooks, const OnAnalysisPart& onPart);
    analyses::History historyOf(const AnalysisRequest& request, const Hooks& hooks,
                                const OnAnalysisPart& onPart);
    FeatureGraph graphOf(const AnalysisRequest& request, const Hooks& hooks, const OnAnalysisPart& onPart);
    features::EdgeHeads edgeHeadsOf(const AnalysisRequest& request, const Hooks& hooks);
    analyses::SetResult scoresOf(const AnalysisRequest& request, const Hooks& hooks,
                                 const OnAnalysisPart& onPart);
    /// What a request's view shows, run as far as it asks for. Valid until the next call. Throws Failure.
    const analyses::SetResult& viewed(const SideRequest& request, const Hooks& hooks,
                                      const OnRunPart& onPart = {});
    using OnSetPart = std::function<void(const analyses::SetResult&)>;
    /// Runs what is not known yet of a set; `onPart` receives what is known on the way.
    const analyses::SetResult& studied(StudiedSet wanted, const Hooks& hooks, const OnSetPart& onPart);
    void runSet(StudiedSet& work, const Hooks& hooks, const OnSetPart& onPart);
    engine::RunRequest requestOf(const StudiedSet& work, const text::SetPrompt& prompt, const Hooks& hooks);
    features::GraphRequest graphRequest(const AnalysisRequest& request, const Hooks& hooks);
    /// Opened before, or now. Throws Failure.
    std::shared_ptr<const features::Transcoders> codersFor(const engine::Model& model,
                                                           const std::string& folder);

    std::chrono::milliseconds m_partInterval;
    engine::ModelOpener m_opener;
    std::array<std::unique_ptr<Engines>, 2> m_engines;  // [Side]
    std::deque<OpenCoders> m_coders;                    // the latest
    std::optional<Scaled> m_scaled;                     // the latest
    std::deque<StudiedSet> m_sets;                      // the latest
    std::deque<Patch> m_patches;                        // the latest; equal prompts share their outputs
};

}  // namespace hs::service
