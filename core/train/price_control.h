#pragma once

#include "train/options.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs::train {

/// The price of an open cell, by GECO: it grows while the constraint holds and shrinks while it is
/// broken. A strain of 1 is the constraint's limit, and the strain is to settle a little below it.
///
/// What counts is the strain of the held-out part, which a look at it shows now and then. From one look to
/// the next the training rows' strain, scaled by what the looks showed, stands in for it, and the next look
/// settles the account: the price becomes what the held-out strain at both looks would have made it.
/// However far the training rows drift from the held-out part, a price that settles does so where the
/// held-out part is at the aim.
///
/// While the model learns to do with less, the price has to rise, and would do so at a strain below its aim
/// alone. So the aim moves up by what the looks fall short of the goal.
class PriceControl {
public:
    /// Where the held-out strain is to settle: looks scatter by a few percent, and only weights below 1 are kept.
    static constexpr double kGoal = 0.95;

    struct State {
        double price = 1;
        std::vector<double> averages;  // [group] moving averages of the training rows' strain
        double scale = 1;              // strain of the held-out part per strain of the training rows
        std::optional<double> looked;  // strain of the held-out part at the last look
        double lookedPrice = 1;        // price after it
        double aim = kGoal;            // strain at which the price stands still
        std::int64_t steps = 0;        // since then
    };

    explicit PriceControl(const SparsityOptions& options);
    PriceControl(const SparsityOptions& options, State state);

    void step(const std::vector<double>& strains);  // [group]; NaN for a group with no rows in the batch
    void measured(double heldOutStrain);

    double price() const { return m_state.price; }
    /// Below it, all cells together would be worth less than a tenth of the tolerance: a lower price would
    /// not ease the constraint, only take longer to come back from.
    double leastPrice() const;
    const State& state() const { return m_state; }

private:
    double trainingStrain() const;
    double slackAt(double strain) const;
    double bounded(double price) const;

    SparsityOptions m_options;
    State m_state;
};

/// The worst of the groups, or their mean, as the options say.
double joined(const SparsityOptions& options, const std::vector<double>& strains);

}  // namespace hs::train
