#pragma once

#include "train/options.h"

#include <vector>

namespace hs::train {

/// The price of an open cell, by GECO: it grows while the constraint holds and shrinks while it is
/// broken. A strain of 1 is the constraint's limit. Each step brings the strain of its training rows,
/// which learning-rate noise raises; each measurement of the held-out part, made with the averaged
/// weights, shows the true strain and scales the training rows' until the next one.
class PriceControl {
public:
    struct State {
        double price = 1;
        std::vector<double> averages;  // [group] moving averages of the training rows' strain
        double scale = 1;              // strain of the held-out part per strain of the training rows
    };

    explicit PriceControl(const SparsityOptions& options);
    PriceControl(const SparsityOptions& options, State state);

    void step(const std::vector<double>& strains);  // [group]; NaN for a group with no rows in the batch
    void measured(double heldOutStrain);

    double price() const { return m_state.price; }
    const State& state() const { return m_state; }

private:
    double trainingStrain() const;

    SparsityOptions m_options;
    State m_state;
};

/// The worst of the groups, or their mean, as the options say.
double joined(const SparsityOptions& options, const std::vector<double>& strains);

}  // namespace hs::train
