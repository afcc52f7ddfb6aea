#include "panels/metric_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace hs {
namespace {

struct Words {
    std::string_view name;
    const char* title;
    const char* help;
};

constexpr std::array<Words, 12> kWords = {{
    {"density", QT_TRANSLATE_NOOP("hs::Metrics", "density"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Share of cells on and below the diagonal whose edge is active")},
    {"entropy", QT_TRANSLATE_NOOP("hs::Metrics", "entropy"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean entropy of the rows, in nats")},
    {"peak", QT_TRANSLATE_NOOP("hs::Metrics", "peak"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean of the rows' largest weights")},
    {"previous_token", QT_TRANSLATE_NOOP("hs::Metrics", "previous token"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean weight on the token before the query")},
    {"current_token", QT_TRANSLATE_NOOP("hs::Metrics", "current token"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean weight on the query itself")},
    {"first_token", QT_TRANSLATE_NOOP("hs::Metrics", "first token"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean weight on the first token")},
    {"duplicate_token", QT_TRANSLATE_NOOP("hs::Metrics", "duplicate token"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean weight on earlier tokens equal to the query")},
    {"induction", QT_TRANSLATE_NOOP("hs::Metrics", "induction"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean weight on tokens that followed one equal to the query")},
    {"entropy_normalized", QT_TRANSLATE_NOOP("hs::Metrics", "entropy share"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean entropy of the rows over the largest it could be")},
    {"mean_distance", QT_TRANSLATE_NOOP("hs::Metrics", "mean distance"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Mean distance between query and key, in tokens")},
    {"density_above", QT_TRANSLATE_NOOP("hs::Metrics", "density above"),
     QT_TRANSLATE_NOOP("hs::Metrics",
                       "Share of cells on and below the diagonal with a weight above the threshold")},
    {"off_diagonal_above_half", QT_TRANSLATE_NOOP("hs::Metrics", "off-diagonal"),
     QT_TRANSLATE_NOOP("hs::Metrics", "Cells off the diagonal with a weight above one half")},
}};

constexpr std::array<std::string_view, 3> kFirst = {"density", "entropy", "peak"};

const Words* wordsOf(const Metric& metric)
{
    const auto found = std::find_if(kWords.begin(), kWords.end(),
                                    [&](const Words& words) { return words.name == metric.name; });
    return found == kWords.end() ? nullptr : &*found;
}

auto rankOf(const Metric* metric)
{
    return std::find(kFirst.begin(), kFirst.end(), metric->name) - kFirst.begin();
}

}  // namespace

QString nameOf(const Metric& metric)
{
    return QString::fromUtf8(metric.name.data(), static_cast<qsizetype>(metric.name.size()));
}

QString metricTitle(const Metric& metric)
{
    if (const Words* words = wordsOf(metric))
        return QCoreApplication::translate("hs::Metrics", words->title);
    return nameOf(metric).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString metricHelp(const Metric& metric)
{
    const Words* words = wordsOf(metric);
    return words ? QCoreApplication::translate("hs::Metrics", words->help) : metricTitle(metric);
}

std::vector<const Metric*> metricsInTableOrder()
{
    std::vector<const Metric*> metrics;
    for (const Metric& metric : allMetrics())
        metrics.push_back(&metric);
    std::stable_sort(metrics.begin(), metrics.end(),
                     [](const Metric* one, const Metric* other) { return rankOf(one) < rankOf(other); });
    return metrics;
}

}  // namespace hs
