#include "train/price_control.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

// Bounds of the scale: a measurement of few rows may be far off.
constexpr double kLeastScale = 0.1;
constexpr double kMostScale = 4;

}  // namespace

double joined(const SparsityOptions& options, const std::vector<double>& strains)
{
    double most = 0;
    double sum = 0;
    int count = 0;
    for (const double strain : strains) {
        if (std::isnan(strain))
            continue;
        most = std::max(most, strain);
        sum += strain;
        ++count;
    }
    return options.constrainsWorst || count == 0 ? most : sum / count;
}

PriceControl::PriceControl(const SparsityOptions& options) : m_options(options)
{
    m_state.price = options.firstPrice;
}

PriceControl::PriceControl(const SparsityOptions& options, State state)
    : m_options(options), m_state(std::move(state))
{
}

double PriceControl::trainingStrain() const
{
    return joined(m_options, m_state.averages);
}

void PriceControl::step(const std::vector<double>& strains)
{
    m_state.averages.resize(strains.size(), NAN);
    for (std::size_t group = 0; group < strains.size(); ++group) {
        double& average = m_state.averages[group];
        if (std::isnan(average))
            average = strains[group];
        else if (!std::isnan(strains[group]))
            average = m_options.memory * average + (1 - m_options.memory) * strains[group];
    }
    const double slack = std::clamp(1 - trainingStrain() * m_state.scale, -1.0, 1.0);
    m_state.price *= std::exp(m_options.speed * slack);
}

void PriceControl::measured(double heldOutStrain)
{
    const double training = trainingStrain();
    if (training > 0)
        m_state.scale = std::clamp(heldOutStrain / training, kLeastScale, kMostScale);
}

}  // namespace hs::train
