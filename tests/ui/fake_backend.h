#pragma once

#include "service/maps_backend.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace hs::test {

/// Replaces the engine: made-up heads, at once or when the test releases them.
///
/// Sources: "fake:4x6" has 4 layers of 6 heads, "fake:4x6/2" two key/value heads, "fake:4x6+gate" a
/// gate of its own, "fake:4x6+gpu" is on a GPU and "fake:4x6+broken" on one that computes something else from L2H3 on, "fake:4x6@2" is the third step of a training, "fake:4x6+note" a note for the user; anything else is not found. Tokens are the
/// words of the prompt, with "fake:4x6+letters" its letters, after ⟨bos⟩ if wanted; texts of
/// predictions come from the demo pair's tokenizer. Ablations change every later layer and the
/// predictions, nothing else. Sources of maps are those of madeUpMaps. Owned by the Explorer; the functions for
/// tests are for any thread.
class FakeBackend : public service::Backend {
public:
    enum class Call { Open, Run, Maps, Cells, Analysis, Generation, Check };
    static constexpr int kContext = 512;  // longest prompt, in tokens

    /// From now on such calls wait half way for release(), or until cancelled unless they are deaf, as an
    /// engine is within a layer.
    void hold(Call call, bool isDeaf = false);
    void release(Call call);
    /// Returns once such a call is waiting.
    void waitUntilHeld(Call call);
    /// From now on runs tell their first `layers` layers before they wait; 0: none.
    void tellParts(int layers) { m_partLayers = layers; }
    /// How long runs say they took from now on.
    void setMilliseconds(double milliseconds) { m_milliseconds = milliseconds; }
    /// The next such call returns this error.
    void failNext(Call call, Error error);
    /// Whether any call came on the thread this object was made on.
    bool wasCalledAtHome() const { return m_wasCalledAtHome; }
    int count(Call call) const { return m_counts[static_cast<std::size_t>(call)]; }

    Result<std::shared_ptr<const service::OpenModel>> open(const service::OpenRequest& request,
                                                           const Hooks& hooks) override;
    Result<service::SideResult> run(Side side, const service::SideRequest& request, const Hooks& hooks,
                                    const service::OnRunPart& onPart) override;
    /// Greedily, whatever the setup; tells the first half of its steps before it waits.
    Result<service::GeneratedText> generate(Side side, const service::SideRequest& request,
                                            const service::GenerationSetup& setup, const Hooks& hooks,
                                            const service::OnRunPart& onStep) override;
    Result<engine::LayerMap> maps(const service::SideRequest& request, const service::MapQuery& query,
                                  const Hooks& hooks) override;
    Result<stats::PooledMaps> pooledMaps(Side side, const service::SideRequest& request, engine::MapKind kind,
                                         const Hooks& hooks) override;
    Result<std::vector<float>> cellWeights(Side side, const service::SideRequest& request, int query, int key,
                                           const Hooks& hooks) override;
    /// Sweeps, circuits and sets report their first half before they wait.
    Result<service::AnalysisResult> analyse(const service::AnalysisRequest& request, const Hooks& hooks,
                                            const service::OnAnalysisPart& onPart) override;
    Result<service::FeatureLabels> keepLabels(const std::shared_ptr<const service::OpenModel>& model,
                                              const std::string& coders, const service::FeatureLabels& labels,
                                              const Hooks& hooks) override;
    Result<analyses::DeviceCheck> checkDevice(const std::shared_ptr<const service::OpenModel>& model,
                                              const std::vector<std::int64_t>& tokens,
                                              const Hooks& hooks) override;
    /// Those that are kept.
    service::FeatureLabels labels();

private:
    struct Gate {
        bool isHeld = false;
        bool isDeaf = false;
        int waiting = 0;
        std::optional<Error> error;
    };

    Gate& gate(Call call) { return m_gates[static_cast<std::size_t>(call)]; }
    /// Counts the call, waits while it is held. Throws Failure.
    void pass(Call call, const Hooks& hooks);

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::array<Gate, 7> m_gates;                 // [Call]
    std::array<std::atomic<int>, 7> m_counts{};  // [Call]
    const std::thread::id m_home = std::this_thread::get_id();
    std::atomic<bool> m_wasCalledAtHome = false;
    std::atomic<int> m_partLayers = 0;
    std::atomic<double> m_milliseconds = 4;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    service::MapsBackend m_maps;
    service::FeatureLabels m_labels;
};

}  // namespace hs::test
