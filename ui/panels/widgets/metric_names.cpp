#include "panels/widgets/metric_names.h"

#include "render/translate.h"

#include <algorithm>
#include <array>

namespace hs::panels {
namespace {

struct MetricText {
    std::string_view name;
    const char* title;
    const char* help;
};

constexpr std::array<MetricText, 12> kTexts = {{
    {"density", QT_TRANSLATE_NOOP("HeadScope", "density"),
     QT_TRANSLATE_NOOP("HeadScope", "Share of the cells that queries see whose edge is active")},
    {"entropy", QT_TRANSLATE_NOOP("HeadScope", "entropy"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean entropy of the rows, in nats")},
    {"peak", QT_TRANSLATE_NOOP("HeadScope", "peak"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean of the rows' largest weights")},
    {"previous_token", QT_TRANSLATE_NOOP("HeadScope", "previous token"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean weight on the token before the query")},
    {"current_token", QT_TRANSLATE_NOOP("HeadScope", "current token"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean weight on the query itself")},
    {"first_token", QT_TRANSLATE_NOOP("HeadScope", "first token"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean weight on the first token")},
    {"duplicate_token", QT_TRANSLATE_NOOP("HeadScope", "duplicate token"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean weight on earlier tokens equal to the query")},
    {"induction", QT_TRANSLATE_NOOP("HeadScope", "induction"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean weight on tokens that followed one equal to the query")},
    {"entropy_normalized", QT_TRANSLATE_NOOP("HeadScope", "entropy share"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean entropy of the rows over the largest it could be")},
    {"mean_distance", QT_TRANSLATE_NOOP("HeadScope", "mean distance"),
     QT_TRANSLATE_NOOP("HeadScope", "Mean distance between query and key, in tokens")},
    {"density_above", QT_TRANSLATE_NOOP("HeadScope", "density above"),
     QT_TRANSLATE_NOOP("HeadScope", "Share of the cells that queries see with a weight above the threshold")},
    {"off_diagonal_above_half", QT_TRANSLATE_NOOP("HeadScope", "off-diagonal"),
     QT_TRANSLATE_NOOP("HeadScope", "Cells off the diagonal with a weight above one half")},
}};

constexpr std::array<std::string_view, 3> kFirst = {"density", "entropy", "peak"};

const MetricText* textOf(const stats::Metric& metric)
{
    const auto found = std::find_if(kTexts.begin(), kTexts.end(),
                                    [&](const MetricText& text) { return text.name == metric.name; });
    return found == kTexts.end() ? nullptr : &*found;
}

auto rankOf(const stats::Metric* metric)
{
    return std::find(kFirst.begin(), kFirst.end(), metric->name) - kFirst.begin();
}

}  // namespace

QString nameOf(const stats::Metric& metric)
{
    return QString::fromUtf8(metric.name.data(), static_cast<qsizetype>(metric.name.size()));
}

QString metricTitle(const stats::Metric& metric)
{
    if (const MetricText* text = textOf(metric))
        return tr(text->title);
    return nameOf(metric).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString metricHelp(const stats::Metric& metric)
{
    const MetricText* text = textOf(metric);
    return text ? tr(text->help) : metricTitle(metric);
}

std::vector<const stats::Metric*> metricsInTableOrder()
{
    std::vector<const stats::Metric*> metrics;
    for (const stats::Metric& metric : stats::allMetrics())
        metrics.push_back(&metric);
    std::stable_sort(
        metrics.begin(), metrics.end(),
        [](const stats::Metric* one, const stats::Metric* other) { return rankOf(one) < rankOf(other); });
    return metrics;
}

}  // namespace hs::panels
