#include "train/price_control.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

// How far the aim follows a look's distance from the goal, how far it may go, and from which distance on a look says
// that the price is on its way rather than that it has to rise.
constexpr double kFollowed = 0.05;
constexpr double kMostLift = 0.2;
constexpr double kOnTheWay = 0.2;

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

double PriceControl::slackAt(double strain) const
{
    return std::clamp(m_state.aim - strain, -1.0, 1.0);
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
    m_state.price =
        bounded(m_state.price * std::exp(m_options.speed * slackAt(trainingStrain() * m_state.scale)));
    ++m_state.steps;
}

void PriceControl::measured(double heldOutStrain)
{
    if (const double training = trainingStrain(); training > 0) {
        const double scale = std::clamp(heldOutStrain / training, kLeastScale, kMostScale);
        m_state.scale = m_state.looked ? std::sqrt(m_state.scale * scale) : scale;
    }
    if (m_state.looked) {
        const double slack = 0.5 * (slackAt(*m_state.looked) + slackAt(heldOutStrain));
        const auto steps = static_cast<double>(m_state.steps);
        m_state.price = bounded(m_state.lookedPrice * std::exp(m_options.speed * slack * steps));
    }
    if (const double missed = kGoal - heldOutStrain; std::abs(missed) < kOnTheWay)
        m_state.aim = std::clamp(m_state.aim + kFollowed * missed, kGoal, kGoal + kMostLift);
    m_state.looked = heldOutStrain;
    m_state.lookedPrice = m_state.price;
    m_state.steps = 0;
}

double PriceControl::leastPrice() const
{
    return std::min(m_options.firstPrice, m_options.tolerance / 10);
}

double PriceControl::bounded(double price) const
{
    return std::max(leastPrice(), price);
}

}  // namespace hs::train
