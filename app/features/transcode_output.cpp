#include "app/features/transcode_output.h"

#include "app/training/training_output.h"
#include "base/text_format.h"

#include <cmath>
#include <numeric>

namespace hs::app {

std::string describeCoderPoint(const features::CoderPoint& point)
{
    std::string text =
        "step " + formatCount(point.step) + (point.steps > 0 ? " of " + formatCount(point.steps) : "") +
        ": " + percentText(point.fvu) + " unexplained, " + fourDigits(point.l0) + " features fire, " +
        formatCount(point.dead) + " dead, " + formatCount(std::llround(point.tokensPerSecond)) + " tokens/s";
    return point.steps > 0 ? text + ", " + durationText(point.secondsLeft) + " left" : text;
}

std::string describeCoderMeasure(const features::CoderMeasure& measure)
{
    const std::int64_t dead = std::accumulate(measure.dead.begin(), measure.dead.end(), std::int64_t{0});
    return "held out: " + percentText(features::meanOverLayers(measure.fvu)) + " unexplained, " +
           fourDigits(features::meanOverLayers(measure.l0)) + " features fire a layer, " + formatCount(dead) +
           " never; loss " + fourDigits(measure.replacedLoss) + " with the MLPs replaced (" +
           fourDigits(measure.loss) + " without), KL " + fourDigits(measure.divergence) +
           ", the same token after " + percentText(measure.agreement);
}

std::string describeCoderOutcome(const features::CoderOutcome& outcome, const std::string& out)
{
    std::string layers;
    for (std::size_t layer = 0; layer < outcome.measure.fvu.size(); ++layer)
        layers += (layers.empty() ? "" : ", ") + percentText(outcome.measure.fvu[layer]);
    return "Written to " + out + " after " + formatCount(outcome.steps) + " steps, " +
           durationText(outcome.seconds) + "; " + describeCoderMeasure(outcome.measure) +
           "; unexplained by layer: " + layers + ".";
}

}  // namespace hs::app
