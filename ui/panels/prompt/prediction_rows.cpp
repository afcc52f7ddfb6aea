#include "panels/prompt/prediction_rows.h"

#include "panels/widgets/panel_style.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

/// In per cent; a bound instead of 0.
QString number(const Probability& probability, int decimals)
{
    const double unit = std::pow(10, -decimals);
    const double percent = 100 * probability.value;
    if (probability.isBound || percent < unit / 2)
        return QLatin1Char('<') + formatNumber(std::max(unit, std::ceil(percent / unit) * unit), decimals);
    return formatNumber(percent, decimals);
}

}  // namespace

std::vector<PredictionRow> predictionRows(const control::Explorer& explorer, int most)
{
    return control::predictionRows({explorer.state(Side::Left).run, explorer.state(Side::Right).run}, most);
}

bool hasAblations(const control::SideState& state)
{
    return state.run && state.run->request.isChanged();
}

QString describeChange(const ProbabilityChange& change, bool hasBefore, int decimals)
{
    const QString after = number(change.after, decimals);
    return hasBefore ? QStringLiteral("%1 → %2 %").arg(number(change.before, decimals), after)
                     : QStringLiteral("%1 %").arg(after);
}

}  // namespace hs::panels
