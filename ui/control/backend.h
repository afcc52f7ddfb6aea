#pragma once

#include "base/hooks.h"
#include "control/document.h"
#include "engine/attribution.h"
#include "engine/circuit.h"
#include "engine/engine.h"
#include "render/tile_pyramid.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>
#include <vector>

namespace hs {

/// A model that is open: what the window may know of it. Immutable and shared.
struct OpenModel {
    QString source;  // as it was asked for
    QString title;
    HeadShape heads;
    int context = 0;  // longest prompt, in tokens
    bool hasOwnGate = false;
    QString device;  // for people: "CPU, 2 threads"
    std::uint64_t weightBytes = 0;
    std::string folder;                          // where it was found
    std::string fingerprint;                     // of config and weights' header, for sessions
    std::vector<std::string> notes;              // what the user should know
    std::shared_ptr<const Model> model;          // null in tests
    std::shared_ptr<const Tokenizer> tokenizer;  // null where the folder has none
};

struct OpenRequest {
    QString source;
    std::string device = "auto";
    std::string dtype = "auto";

    friend bool operator==(const OpenRequest&, const OpenRequest&) = default;
};

/// Everything one side's run depends on.
struct SideRequest {
    std::shared_ptr<const OpenModel> model;
    std::string prompt;
    std::string tokenIds;  // read instead of the prompt unless empty
    bool hasBos = true;
    GateChoice gate = GateChoice::Own;
    double gateBias = 0;
    std::map<HeadId, HeadAblation::Kind> ablations;
    std::optional<int> position;
    std::string target;
    std::string distractor;

    bool hasPrompt() const { return !prompt.empty() || !tokenIds.empty(); }
    /// Whether both run the same model on the same tokens: a run that may be let finish.
    bool hasSameInput(const SideRequest& other) const;

    friend bool operator==(const SideRequest&, const SideRequest&) = default;
};

/// What a side of the document runs on its model.
SideRequest sideRequest(const Document& document, Side side, std::shared_ptr<const OpenModel> model);

/// A token the user watches; the reason where the text is not one token of the model.
struct WatchedToken {
    std::int64_t id = -1;  // -1: none asked for, or not one token
    std::string problem;
    Prediction after;
    Prediction before;
};

/// What one side shows: a run, the same run before ablation, and their pictures. Immutable.
struct SideRun {
    SideRequest request;
    std::vector<Token> tokens;
    RunResult after;
    RunResult before;                                // equal to `after` without ablations
    std::shared_ptr<const TilePyramid> tiles;        // of `after`
    std::shared_ptr<const TilePyramid> tilesBefore;  // of `before`
    std::optional<double> gateBias;                  // of the gate it ran with
    int position = 0;                                // where predictions were read
    WatchedToken target;
    WatchedToken distractor;
};

/// A layer's full maps of a side's run. [head, query, key]
struct MapQuery {
    Side side = Side::Left;
    int layer = 0;
    MapKind kind = MapKind::Weights;
    bool isBefore = false;  // of the run before ablation

    friend auto operator<=>(const MapQuery&, const MapQuery&) = default;
};

/// Tokens whose logits an analysis reads, as the user typed them.
struct LogitChoice {
    std::string target;  // empty: the token that the run predicts
    std::string versus;  // empty: none

    friend bool operator==(const LogitChoice&, const LogitChoice&) = default;
};

/// What the worker thread asks of the engine. Called from that one thread only, except for the
/// constructor. Tests have their own.
class Backend {
public:
    virtual ~Backend() = default;

    virtual Result<std::shared_ptr<const OpenModel>> open(const OpenRequest& request, const Hooks& hooks) = 0;
    virtual Result<std::shared_ptr<const SideRun>> run(Side side, const SideRequest& request,
                                                       const Hooks& hooks) = 0;
    virtual Result<LayerMap> maps(const SideRequest& request, const MapQuery& query, const Hooks& hooks) = 0;
    /// Weight of one cell in every head. [layer * head]
    virtual Result<std::vector<float>> cellWeights(Side side, const SideRequest& request, int query, int key,
                                                   const Hooks& hooks) = 0;
    /// What heads and cells contribute to a logit where the request reads predictions.
    virtual Result<Attribution> attribute(const SideRequest& request, const LogitChoice& logits,
                                          const Hooks& hooks) = 0;
    /// The heads that make the difference between the request's prompt and a corrupted one.
    virtual Result<Circuit> circuit(const SideRequest& request, const std::string& corrupted,
                                    const LogitChoice& logits, double level, const Hooks& hooks) = 0;
};

}  // namespace hs
