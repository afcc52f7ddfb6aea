#include "app/desktop/click_bench.h"

#include "app/desktop/window_at_rest.h"
#include "base/timing.h"
#include "bench/run_times.h"
#include "control/explorer/explorer.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "service/machines.h"
#include "window/main_window.h"

#include <QElapsedTimer>

#include <utility>

namespace hs::app {
namespace {

constexpr int kClicks = 40;
constexpr int kFewestClicks = 5;
constexpr int kWarmUpClicks = 3;
constexpr double kClicksTakeAtMost = 15;  // seconds for all clicks of a length

/// One click's milliseconds.
struct Click {
    double total = 0;
    double engine = 0;       // of `total`
    double worker = 0;       // of `total`, with the engine's
    double asking = 0;       // of `total`, until the worker thread has the request
    double painting = 0;     // of `total`, after the run has arrived
    engine::RunTimes times;  // of `engine`
};

Click timeClick(window::MainWindow& window, HeadId head)
{
    control::Explorer& explorer = window.explorer();
    const auto before = explorer.state(Side::Left).run;
    QElapsedTimer timer;
    timer.start();
    const auto now = [&] { return static_cast<double>(timer.nsecsElapsed()) / 1e6; };
    explorer.toggleAblation(Side::Left, {head});
    const double asked = now();
    waitUntil([&] { return explorer.state(Side::Left).run != before; });
    const double arrived = now();
    window.grids().grid(Side::Left).canvas().repaint();
    const control::SideRun& run = *explorer.state(Side::Left).run;
    return {now(), run.after.milliseconds, run.milliseconds, asked, now() - arrived, run.after.times};
}

/// A prompt of about that many tokens: common words, most of which are one token.
void setLength(window::MainWindow& window, int tokens)
{
    static const QStringList kWords =
        QStringLiteral("the dog ran to a big park and saw his old red ball near "
                       "some tall green trees while it was still very warm")
            .split(QLatin1Char(' '));
    QStringList words;
    for (int index = 0; index < tokens - 1; ++index)
        words << kWords[index % kWords.size()];
    window.explorer().edit(QStringLiteral("length"), [&](control::Document& document) {
        control::setPrompt(document, words.join(QLatin1Char(' ')));
    });
    waitUntilSettled(window);
}

/// Bytes that came from other machines so far.
std::uint64_t bytesFrom(const service::Machines& machines)
{
    std::uint64_t bytes = 0;
    for (const service::Machines::Machine& machine : machines.all())
        bytes += machine.state.bytesReceived;
    return bytes;
}

/// That share's percentile of one part of all clicks.
double percentileOf(const std::vector<Click>& clicks, double Click::* part, double share)
{
    std::vector<double> values;
    for (const Click& click : clicks)
        values.push_back(click.*part);
    return percentile(std::move(values), share);
}

std::vector<engine::RunTimes> timesOf(const std::vector<Click>& clicks)
{
    std::vector<engine::RunTimes> times;
    for (const Click& click : clicks)
        times.push_back(click.times);
    return times;
}

}  // namespace

std::vector<bench::Measurement> measureClicks(window::MainWindow& window, const service::Machines& machines,
                                              const std::string& model)
{
    control::Explorer& explorer = window.explorer();
    control::Document start;
    for (const Side side : kSides)
        start.side(side).model = QString::fromStdString(model);
    explorer.reset(start);
    std::vector<bench::Measurement> all;
    for (const int length : {16, 128, 512, 1024}) {
        setLength(window, length);
        if (!explorer.state(Side::Left).problem.isEmpty())
            break;  // longer than the model reads
        const HeadShape heads = explorer.state(Side::Left).model->heads;
        const int middle = heads.total() / 2;
        std::vector<Click> clicks;
        std::uint64_t bytes = 0;
        const double end = secondsNow() + kClicksTakeAtMost;
        for (int round = 0; round < kWarmUpClicks + kClicks; ++round) {
            if (clicks.size() >= kFewestClicks && secondsNow() > end)
                break;
            const Click click = timeClick(window, heads.at((middle + round) % heads.total()));
            if (round >= kWarmUpClicks)
                clicks.push_back(click);
            else
                bytes = bytesFrom(machines);
        }
        waitUntilSettled(window);
        bytes = bytesFrom(machines) - bytes;
        const auto tokens = explorer.state(Side::Left).run->tokens.size();
        const std::string key = "ui_click_" + std::to_string(length);
        all.push_back({key + "_p50", percentileOf(clicks, &Click::total, 0.5), "ms",
                       "from a click to redrawn tiles, " + std::to_string(tokens) + " tokens, " +
                           std::to_string(clicks.size()) + " clicks"});
        all.push_back(
            {key + "_p95", percentileOf(clicks, &Click::total, 0.95), "ms", "goal: twice the median"});
        all.push_back({key + "_engine", percentileOf(clicks, &Click::engine, 0.5), "ms",
                       "of it in the engine: " + bench::describe(timesOf(clicks))});
        all.push_back({key + "_worker", percentileOf(clicks, &Click::worker, 0.5), "ms",
                       "of it on the worker thread, the engine's with it"});
        all.push_back({key + "_asking", percentileOf(clicks, &Click::asking, 0.5), "ms",
                       "of it until the worker thread has the request"});
        all.push_back({key + "_painting", percentileOf(clicks, &Click::painting, 0.5), "ms",
                       "of it painting, once the run has arrived"});
        if (bytes > 0)
            all.push_back({key + "_received",
                           static_cast<double>(bytes) / 1e3 / static_cast<double>(clicks.size()), "kB",
                           "from the other machine for a click, with all that the window asks for after it"});
    }
    return all;
}

}  // namespace hs::app
