#pragma once

#include "analyses/known_checks.h"
#include "analyses/set_maps.h"
#include "base/feature_scale.h"
#include "engine/request/adapter_choice.h"
#include "engine/request/run_request.h"
#include "maps/block.h"
#include "model/revisions/revisions.h"
#include "text/blocks.h"
#include "text/prompt_set.h"
#include "text/tokenizer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::engine {
class AdapterShelf;
class Model;
}  // namespace hs::engine

namespace hs::service {

/// Which model, and where and in what type it runs.
struct OpenRequest {
    std::string source;  // folder, file, org/name, demo:…, or one of them on another machine; a file of maps
    std::string device = "auto";
    std::string dtype = "auto";
    bool tf32 = false;

    friend bool operator==(const OpenRequest&, const OpenRequest&) = default;
};

/// A block in a file of maps: its name there, which may be empty, and its source.
struct MapsBlock {
    std::string name;
    std::string source;

    friend bool operator==(const MapsBlock&, const MapsBlock&) = default;
};

/// An open model: what one may know about it without an engine. Immutable and shared.
struct OpenModel {
    OpenRequest request;  // as it was asked for
    std::string title;
    HeadShape heads;
    int context = 0;                    // longest prompt, in tokens
    std::optional<double> ownGateBias;  // none: it was made without a gate
    std::string device;                 // for people: "CPU, 2 threads"
    bool hasGpu = false;                // some of its layers are on one
    std::string precision;              // of the computation: "float32", "tf32", "bfloat16"
    bool tf32 = false;                  // runs round float32 products; false if there are none to round
    std::uint64_t weightBytes = 0;
    std::string folder;  // where it was found
    std::string coders;  // folder of transcoders beside it; empty: none
    std::string
        ownAdapter;  // folder of the adapter that it was opened as, which runs have unless they name it
    std::vector<model::Revision> revisions;                // the steps kept of its training, in order
    std::optional<std::size_t> revision;                   // which of them it is
    std::string fingerprint;                               // of config and weights' header, for sessions
    std::optional<analyses::KnownCheck> check;             // that it was found equal to another program's
    std::vector<std::string> notes;                        // what the user should know
    std::shared_ptr<const engine::Model> model;            // null on another machine, and in tests
    std::shared_ptr<const engine::AdapterShelf> adapters;  // likewise
    std::shared_ptr<const text::Tokenizer> tokenizer;      // null if the folder has none
    std::shared_ptr<const maps::Block> maps;               // null: an engine computes them
    std::vector<MapsBlock> blocks;                         // all in the file of maps
};

/// Which prompts a set has.
struct SetSource {
    std::string where;    // file, folder or task:…; see train::openPrompts
    std::string stamp;    // tells versions of a file apart; says nothing else
    std::string pattern;  // template that the file has the values of; may be empty
    std::shared_ptr<const std::vector<text::SetPrompt>>
        given;  // read by the machine that asks; null: read now

    friend bool operator==(const SetSource& a, const SetSource& b)
    {
        return a.where == b.where && a.stamp == b.stamp && a.pattern == b.pattern &&
               (a.given == b.given || (a.given && b.given && *a.given == *b.given));
    }
};

/// What a side shows of all prompts of a set together.
struct SetView {
    SetSource set;
    std::optional<analyses::SetAlign> align;  // none: by slots where there are any, otherwise from the start
    analyses::SetAverage average = analyses::SetAverage::Mean;
    bool isPartial = false;  // of the prompts that were run before it was stopped; no others are run

    friend bool operator==(const SetView&, const SetView&) = default;
};

/// Everything one side's run depends on.
struct SideRequest {
    std::shared_ptr<const OpenModel> model;
    std::string prompt;  // a text, or a chat as JSON
    bool isChat = false;
    std::string tokenIds;  // read instead of the prompt unless empty
    bool hasBos = true;
    std::vector<std::int64_t> generated;  // tokens that a model wrote, behind the prompt
    std::optional<std::int64_t> next;     // the one it wrote after them, whose probability is read
    std::optional<engine::ScoreGate> gate;
    /// What the model is changed by in every run, that before ablation as well. The model's own adapter is at full
    /// strength unless it is named here.
    std::vector<engine::AdapterChoice> adapters;
    std::map<HeadId, HeadChange> ablations;
    std::vector<FeatureScale> scales;
    std::string scaledIn;  // folder of the transcoders that have them; empty: the one beside the model
    std::string patch;     // prompt that the outputs of replaced heads come from; empty if there are none
    std::optional<int> position;
    std::string target;
    std::string distractor;
    std::optional<SetView> view;  // instead of the prompt
    text::BlockChoice blocks;     // that maps, tiles and statistics are of, instead of tokens
    int tileBytes = 4 << 20;      // of all heads together

    /// Whether there is something to show; maps from a file bring their own tokens.
    bool hasPrompt() const { return !prompt.empty() || !tokenIds.empty() || view || (model && model->maps); }
    /// Whether something is changed about the model's own run.
    bool isChanged() const { return !ablations.empty() || !scales.empty(); }
    /// Whether both run the same model on the same tokens, so that the running one may finish.
    bool hasSameInput(const SideRequest& other) const;

    friend bool operator==(const SideRequest&, const SideRequest&) = default;
};

/// The same request with another prompt. In a chat it is another last message of the user. Throws Failure.
SideRequest withPrompt(SideRequest request, const std::string& prompt);

}  // namespace hs::service
