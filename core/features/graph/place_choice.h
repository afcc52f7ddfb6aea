#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "features/coders/transcoders.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hs::features {

/// How well a set reconstructs what MLPs add if it reads at this place.
struct ReadingTrial {
    Place place = Place::MlpInput;
    bool isRescaled = false;     // what it reads is brought to a mean norm of √width
    bool isCentred = false;      // it models y − mean(y)
    std::vector<double> fvu;     // [layer] unexplained share of the variance
    double meanFvu = 0;          // over layers
    std::vector<double> scales;  // [layer] of what it reads; empty unless rescaled

    friend bool operator==(const ReadingTrial&, const ReadingTrial&) = default;
};

/// Where a set reads, decided by reconstruction, or as its files say.
struct PlaceChoice {
    std::vector<ReadingTrial> trials;  // best first
    ReadingTrial chosen;
    std::string sentence;                       // what was found
    bool isGood = true;                         // else the set is not for this model or not understood
    std::shared_ptr<const Transcoders> coders;  // the set, reading as chosen
};

/// Tries every way of reading on a text, each passage of which is a request; first positions do not count.
/// Ablations are left out.
Result<PlaceChoice> choosePlace(const std::shared_ptr<const Transcoders>& coders,
                                const std::vector<engine::RunRequest>& passages, const Hooks& hooks = {});

/// "what the MLP gets", for sentences and tables.
std::string inWords(const ReadingTrial& trial);

/// How a set does on a text.
struct CoderReport {
    std::int64_t positions = 0;  // that counted
    std::vector<double> l0;      // [layer] features that fire at a position
    std::vector<int> dead;       // [layer] features that fire at none
    double loss = 0;             // of the next token
    double replacedLoss = 0;     // with every MLP replaced by the transcoders
    double sameTop = 0;          // share of positions with the same most probable token then
};

/// Of a set that says where it reads.
Result<CoderReport> reportCoders(const Transcoders& coders, const std::vector<engine::RunRequest>& passages,
                                 const Hooks& hooks = {});

}  // namespace hs::features
