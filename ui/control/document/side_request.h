#pragma once

#include "control/document/document.h"
#include "text/tokenizer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::engine {
class Model;
}

namespace hs::control {

/// An open model: what the window may know about it. Immutable and shared.
struct OpenModel {
    QString source;  // as it was asked for
    QString title;
    HeadShape heads;
    int context = 0;                    // longest prompt, in tokens
    std::optional<double> ownGateBias;  // none: it was made without a gate
    QString device;                     // for people: "CPU, 2 threads"
    QString precision;                  // of the computation: "float32", "tf32", "bfloat16"
    bool tf32 = false;                  // runs round float32 products; false if there are none to round
    std::uint64_t weightBytes = 0;
    std::string folder;                                // where it was found
    std::string fingerprint;                           // of config and weights' header, for sessions
    std::vector<std::string> notes;                    // what the user should know
    std::shared_ptr<const engine::Model> model;        // null in tests
    std::shared_ptr<const text::Tokenizer> tokenizer;  // null if the folder has none
};

struct OpenRequest {
    QString source;
    std::string device = "auto";
    std::string dtype = "auto";
    bool tf32 = false;

    friend bool operator==(const OpenRequest&, const OpenRequest&) = default;
};

/// Everything one side's run depends on.
struct SideRequest {
    std::shared_ptr<const OpenModel> model;
    std::string prompt;
    std::string tokenIds;  // read instead of the prompt unless empty
    bool hasBos = true;
    std::optional<engine::ScoreGate> gate;
    std::map<HeadId, engine::HeadAblation::Kind> ablations;
    std::string patch;  // prompt that the outputs of replaced heads come from; empty if there are none
    std::optional<int> position;
    std::string target;
    std::string distractor;

    bool hasPrompt() const { return !prompt.empty() || !tokenIds.empty(); }
    /// Whether both run the same model on the same tokens, so that the running one may finish.
    bool hasSameInput(const SideRequest& other) const;

    friend bool operator==(const SideRequest&, const SideRequest&) = default;
};

/// What a side of the document runs on its model. Throws Failure if the gate's bias is not finite.
SideRequest sideRequest(const Document& document, Side side, std::shared_ptr<const OpenModel> model);

}  // namespace hs::control
