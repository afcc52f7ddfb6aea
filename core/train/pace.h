#pragma once

#include "train/options.h"

#include <cstdint>
#include <optional>

namespace hs::train {

/// The numbers that fit the length of a run, unless they are given.
struct Pace {
    std::optional<std::int64_t> warmUp;
    std::optional<std::int64_t> measureEvery;
    std::optional<double> averaging;
    std::optional<double> memory;
    std::optional<double> speed;
    int looks = 30;  // at the held-out part, about

    friend bool operator==(const Pace&, const Pace&) = default;
};

/// The options for a run of so many steps: what `given` leaves open becomes a share of the run, within
/// bounds, so that 300 steps are enough to find a price and 60,000 are looked at often enough.
Options fitted(Options options, const Pace& given, std::int64_t steps);

/// How long a run may take.
struct TimeLimit {
    double minutes = 0;
    double spent = 0;  // seconds of them that were spent before the training began
    Pace given;        // what the user decided; the rest fits the steps that fit into the time
};

/// What the parts of a run cost, in seconds.
struct RunCosts {
    double step = 0;
    double look = 0;        // at the held-out part
    double checkpoint = 0;  // as long as the steps wait for it
    double checkpointEvery = 0;
    double round = 0;             // of what the data prepare
    std::int64_t roundSteps = 0;  // how many steps it lasts; 0: for ever
    double end = 0;               // after the last step
};

/// How long the steps after `made` take, with all that goes with them, and the end.
double secondsLeft(const Options& options, std::int64_t made, const RunCosts& costs);

/// As many steps in all as end within so many seconds from now, and one more would not; at least one more
/// than were made.
std::int64_t stepsWithin(double seconds, const Options& options, const Pace& given, std::int64_t made,
                         const RunCosts& costs);

}  // namespace hs::train
