#include "app/training/training_output.h"

#include "app/support/messages.h"
#include "base/text_format.h"
#include "base/timing.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace hs::app {
namespace {

constexpr double kLineEvery = 5;             // seconds
constexpr double kTerminalLineEvery = 0.25;  // seconds
constexpr const char* kWipe = "\r\033[K";

std::string scores(const train::HeldOutMeasure& measure, const train::HeldOutMeasure* dense)
{
    std::string text;
    for (std::size_t group = 0; group < measure.groups.size(); ++group) {
        const train::GroupMeasure& now = measure.groups[group];
        if (now.answers == 0)
            continue;
        text += (text.empty() ? "" : ", ") + now.name + " " + percentText(now.score);
        if (dense)
            text += " (dense " + percentText(dense->groups[group].score) + ")";
    }
    return text;
}

/// "; by length: 16 tokens 36.10 % (KL 0.04, at most 200 heads on one row), …".
std::string byLength(const std::vector<train::LengthMeasure>& lengths)
{
    std::string text;
    for (const train::LengthMeasure& at : lengths)
        text += (text.empty() ? "; by length: " : ", ") + formatCount(at.length) + " tokens " +
                percentText(at.density) + " (KL " + fourDigits(at.divergence) + ", at most " +
                std::to_string(at.mostHeadsActive) + " heads on one row)";
    return text;
}

/// "step 250 of 6,000: loss 1.234, 81,920 tokens/s, 3 min left".
std::string describePoint(const train::CurvePoint& point, const train::Options& options)
{
    std::string text = "step " + formatCount(point.step) +
                       (point.steps > 0 ? " of " + formatCount(point.steps) : "") + ": loss " +
                       fourDigits(point.loss);
    if (options.sparsity)
        text += (options.sparsity->divergenceWeight > 0 ? ", KL " : ", excess ") + fourDigits(point.excess) +
                ", density " + percentText(point.density) + " (expected " +
                percentText(point.expectedDensity) + "), price " + fourDigits(point.price);
    text += ", " + formatCount(std::llround(point.tokensPerSecond)) + " tokens/s";
    return point.steps > 0 ? text + ", " + durationText(point.secondsLeft) + " left" : text;
}

/// "held out: loss 0.123; indirect objects 99.80 %, …".
std::string describeHeldOut(const train::HeldOutMeasure& measure, bool isSparse)
{
    std::string text = "held out: loss " + fourDigits(measure.crossEntropy);
    if (isSparse)
        text += ", KL " + fourDigits(measure.divergence) + ", density " + percentText(measure.density) +
                ", " + std::to_string(measure.headsEverActive) + " of " + std::to_string(measure.heads) +
                " heads ever active";
    const std::string tasks = scores(measure, nullptr);
    return tasks.empty() ? text : text + "; " + tasks;
}

}  // namespace

std::string fourDigits(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string percentText(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, share < 0.1 ? "%.3f %%" : "%.2f %%", 100 * share);
    return text;
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

void narrate(const std::string& line)
{
    if (saysOnlyErrors())
        return;
    std::cerr << line << '\n';
}

TrainingProgress::TrainingProgress() : m_isTerminal(isatty(STDERR_FILENO) != 0), m_lastShown(secondsNow()) {}

void TrainingProgress::show(const train::CurvePoint& point, const train::Options& options)
{
    std::vector<std::string> below;
    if (point.heldOut)
        below.push_back(describeHeldOut(*point.heldOut, options.sparsity.has_value()));
    below.insert(below.end(), point.notes.begin(), point.notes.end());
    show(describePoint(point, options), below);
}

void TrainingProgress::show(const std::string& line, const std::vector<std::string>& below)
{
    const double since = secondsNow() - m_lastShown;
    const bool isDue = !below.empty() || since >= (m_isTerminal ? kTerminalLineEvery : kLineEvery);
    if (saysOnlyErrors() || !isDue)
        return;
    m_lastShown = secondsNow();
    wipe();
    std::cerr << line;
    m_isOverwritable = m_isTerminal && below.empty();
    if (!m_isOverwritable)
        std::cerr << "\n";
    for (const std::string& detail : below)
        std::cerr << "  " << detail << "\n";
    std::cerr << std::flush;
}

void TrainingProgress::wipe()
{
    if (m_isOverwritable)
        std::cerr << kWipe << std::flush;
    m_isOverwritable = false;
}

std::string describeOutcome(const train::Outcome& outcome, const std::string& out)
{
    const bool isSparse = outcome.dense.has_value();
    std::string text = "Written to " + out + ": the weights of step " + formatCount(outcome.step) + " of " +
                       formatCount(outcome.steps) + ", after " + durationText(outcome.seconds) +
                       "; held-out loss " + fourDigits(outcome.measure.crossEntropy);
    if (isSparse)
        text += " (dense " + fourDigits(outcome.dense->crossEntropy) + "), KL " +
                fourDigits(outcome.measure.divergence) + ", " + percentText(outcome.measure.density) +
                " of edges active, " + std::to_string(outcome.measure.headsEverActive) + " of " +
                std::to_string(outcome.measure.heads) + " heads ever active, at most " +
                std::to_string(outcome.measure.mostHeadsActive) + " on one row" + byLength(outcome.lengths);
    const std::string tasks = scores(outcome.measure, isSparse ? &*outcome.dense : nullptr);
    return text + (tasks.empty() ? "." : "; " + tasks + ".");
}

}  // namespace hs::app
