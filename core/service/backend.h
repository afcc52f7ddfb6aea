#pragma once

#include "analyses/device_check.h"
#include "base/hooks.h"
#include "base/side.h"
#include "engine/run/engine.h"
#include "service/analysis.h"
#include "service/generation.h"
#include "stats/head_kind.h"
#include "stats/pooled_maps.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hs::service {

/// A token the user watches, or the reason why the text is not one token of the model.
struct WatchedToken {
    std::int64_t id = -1;  // -1: none asked for, or not one token
    std::string problem;
    engine::Prediction after;
    engine::Prediction before;
};

/// What is known of the prompts that a side shows together.
struct SetSummary {
    int done = 0;   // prompts that were run
    int count = 0;  // in the set
    std::vector<text::LeftOutPrompt> leftOut;
    std::vector<stats::HeadStats> low;  // ends of the 95 % confidence intervals of the means that the run has
    std::vector<stats::HeadStats> high;  // as statistics, [layer * head]; NaN for fewer than two prompts
};

/// What a side's request gives: a run, and the same run before ablation. A request that shows a set gives the set's
/// averages in the form of a run: its tokens are the places that all prompts share, its statistics and its loss are means,
/// it predicts nothing, and `before` is the same.
struct SideResult {
    SideRequest request;
    std::vector<text::Token> tokens;       // one a query, or a block of them by its name
    std::vector<text::Token> keyTokens;    // one a key; empty: the queries'
    std::vector<text::Token> blockTokens;  // those that blocks consist of; empty: `tokens` are the text's
    TokenSpans spans;                      // which of them each block has
    engine::RunResult after;
    engine::RunResult before;                           // equal to `after` without ablations
    std::vector<std::optional<stats::HeadKind>> kinds;  // for `after`, [layer * head]
    int position = 0;                                   // where predictions were read
    WatchedToken target;
    WatchedToken distractor;
    WatchedToken next;                      // SideRequest::next
    std::shared_ptr<const SetSummary> set;  // null: of one prompt
    double milliseconds = 0;                // that making it took

    const std::vector<text::Token>& tokensOfKeys() const { return keyTokens.empty() ? tokens : keyTokens; }
    /// The tokens that the model read; predictions are read at one of them.
    const std::vector<text::Token>& textTokens() const { return blockTokens.empty() ? tokens : blockTokens; }
    bool hasBlocks() const { return !blockTokens.empty(); }
    /// The row and column that a token of the text is in, and the tokens of one.
    int placeOf(int token) const
    {
        return hasBlocks() ? std::min(spans.of(token), spans.count() - 1) : token;
    }
    text::TokenSpan tokensAt(int place) const
    {
        if (!hasBlocks())
            return place;
        place = std::clamp(place, 0, spans.count() - 1);
        return {spans.begin(place), spans.end(place) - 1};
    }
};

/// The kind of each head of a run. [layer * head]
inline std::vector<std::optional<stats::HeadKind>> kindsOf(const engine::RunResult& run)
{
    const stats::RepeatedTokens repeats(run.tokens);
    const stats::KindRules rules{repeats, run.pattern(), std::max(run.tileRows, run.tileColumns)};
    std::vector<std::optional<stats::HeadKind>> kinds;
    for (int index = 0; index < run.heads.total(); ++index) {
        const HeadId head = run.heads.at(index);
        kinds.push_back(run.heads.contains(head) ? stats::kindOf(run.statsOf(head), rules, run.tileOf(head))
                                                 : std::nullopt);
    }
    return kinds;
}

/// A layer's full maps in a side's run. [head, query, key]
struct MapQuery {
    Side side = Side::Left;
    int layer = 0;
    engine::MapKind kind = engine::MapKind::Weights;
    bool isBefore = false;  // for the run before ablation

    friend auto operator<=>(const MapQuery&, const MapQuery&) = default;
};

using FeatureLabels = std::map<FeatureId, std::string>;

/// Receives the part of a run that is done: `after` has the layers computed so far and nothing that is read
/// at the end; there is no run before ablation.
using OnRunPart = std::function<void(SideResult)>;

/// What a window asks of engines, wherever they are. Called from one thread, except for the constructor.
/// Tests have their own.
class Backend {
public:
    virtual ~Backend() = default;

    /// Makes what the first model on such a device would wait for.
    virtual void prepare(const std::string& /*device*/) {}
    virtual Result<std::shared_ptr<const OpenModel>> open(const OpenRequest& request, const Hooks& hooks) = 0;
    virtual Result<SideResult> run(Side side, const SideRequest& request, const Hooks& hooks,
                                   const OnRunPart& onPart) = 0;
    virtual Result<engine::LayerMap> maps(const SideRequest& request, const MapQuery& query,
                                          const Hooks& hooks) = 0;
    /// Lets a side's model write behind its prompt, each token at the cost of one. `onStep` receives the run that
    /// chooses each token, as `run` would give it for `atStep`, and at last that of the whole text.
    virtual Result<GeneratedText> generate(Side side, const SideRequest& request,
                                           const GenerationSetup& setup, const Hooks& hooks,
                                           const OnRunPart& onStep) = 0;
    /// Tiles of something else than weights, of all heads.
    virtual Result<stats::PooledMaps> pooledMaps(Side side, const SideRequest& request, engine::MapKind kind,
                                                 const Hooks& hooks) = 0;
    /// Weight of one cell in every head. [layer * head]
    virtual Result<std::vector<float>> cellWeights(Side side, const SideRequest& request, int query, int key,
                                                   const Hooks& hooks) = 0;
    /// What an analysis finds; `onPart` receives intermediate results.
    virtual Result<AnalysisResult> analyse(const AnalysisRequest& request, const Hooks& hooks,
                                           const OnAnalysisPart& onPart) = 0;
    /// Keeps labels of features beside the transcoders, in `coders` or else beside the model; an empty one is taken
    /// away. Returns those that the features had.
    virtual Result<FeatureLabels> keepLabels(const std::shared_ptr<const OpenModel>& model,
                                             const std::string& coders, const FeatureLabels& labels,
                                             const Hooks& hooks) = 0;
    /// Holds the model's device against the processor over the first few of the tokens.
    virtual Result<analyses::DeviceCheck> checkDevice(const std::shared_ptr<const OpenModel>& model,
                                                      const std::vector<std::int64_t>& tokens,
                                                      const Hooks& hooks) = 0;
};

}  // namespace hs::service
