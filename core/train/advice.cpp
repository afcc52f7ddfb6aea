#include "train/advice.h"

#include "base/text_format.h"

#include <algorithm>
#include <cstdio>
#include <span>

namespace hs::train {
namespace {

constexpr std::size_t kLeastLooks = 12;  // before a quarter of them says anything
constexpr double kFall = 0.99;           // less than a hundredth is no fall
constexpr std::size_t kStrainedLooks = 8;
constexpr double kRecovers = 0.8;  // of the strain so many looks ago: it may yet be reached
constexpr std::size_t kCheapestLooks = 4;
constexpr double kClearlyBelow = 0.8;  // of the held-out excess; averaged weights alone make it the larger
constexpr double kFurther = 0.9;       // of what the training rows' share was a quarter of the looks ago

using Looks = std::span<const Look>;

std::string nats(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

double leastDensity(Looks looks)
{
    double least = 1;
    for (const Look& look : looks)
        least = std::min(least, look.density);
    return least;
}

/// The training rows' excess per held-out excess.
double trainingShare(Looks looks)
{
    double training = 0;
    double heldOut = 0;
    for (const Look& look : looks) {
        training += look.trainingExcess;
        heldOut += look.heldOutExcess;
    }
    return heldOut > 0 ? training / heldOut : 1;
}

bool isKept(const Look& look)
{
    return look.strain <= 1;
}

}  // namespace

std::vector<std::string> Advice::after(const Look& look)
{
    m_looks.push_back(look);
    std::vector<std::string> due;
    if (!m_saidFlat && isFlat()) {
        m_saidFlat = true;
        due.push_back("The density has not fallen since step " +
                      formatCount(m_looks[m_looks.size() - m_looks.size() / 4 - 1].step) +
                      ", though the tolerance is kept; for fewer edges raise --tolerance or --rate, or stop "
                      "here with Ctrl-C: the best weights are written.");
    }
    if (!m_saidOutOfReach && isOutOfReach()) {
        m_saidOutOfReach = true;
        due.push_back("The tolerance is out of reach: the held-out part is at " + nats(look.strain) +
                      " times what is tolerated" +
                      (look.isCheapest ? ", and the price of an edge is as low as it gets" : "") +
                      "; lower --rate, raise --tolerance, or give it more --steps or --minutes.");
    }
    if (!m_saidByHeart && isLearntByHeart()) {
        m_saidByHeart = true;
        due.push_back("Training rows are learnt by heart: they are at " + nats(look.trainingExcess) +
                      " nats a token and held-out ones at " + nats(look.heldOutExcess) +
                      ", growing apart; give more fresh tokens (a larger --self or a longer --data), or "
                      "fewer --steps.");
    }
    return due;
}

/// Nothing was gained over the last quarter of the looks, in all of which the constraint held.
bool Advice::isFlat() const
{
    if (m_looks.size() < kLeastLooks)
        return false;
    const Looks recent = Looks(m_looks).last(m_looks.size() / 4);
    const Looks before = Looks(m_looks).first(m_looks.size() - recent.size());
    // Only densities that met the constraint are there to be beaten.
    double toBeat = 1;
    for (const Look& look : before)
        if (isKept(look))
            toBeat = std::min(toBeat, look.density);
    return std::ranges::all_of(recent, isKept) && leastDensity(recent) > kFall * toBeat;
}

bool Advice::isOutOfReach() const
{
    const Looks looks(m_looks);
    const auto lasted = [&](std::size_t count, auto&& isSo) {
        return looks.size() >= count && std::ranges::all_of(looks.last(count), isSo) &&
               looks.back().strain > kRecovers * looks.last(count).front().strain;
    };
    return lasted(kStrainedLooks, [](const Look& look) { return !isKept(look); }) ||
           lasted(kCheapestLooks, [](const Look& look) { return look.isCheapest && !isKept(look); });
}

bool Advice::isLearntByHeart() const
{
    if (m_looks.size() < kLeastLooks)
        return false;
    const std::size_t quarter = m_looks.size() / 4;
    const Looks looks(m_looks);
    const double now = trainingShare(looks.last(quarter));
    const double before = trainingShare(looks.subspan(m_looks.size() - 2 * quarter, quarter));
    return now < kClearlyBelow && now < kFurther * before;
}

}  // namespace hs::train
