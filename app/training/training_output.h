#pragma once

#include "train/trainer.h"

#include <string>
#include <vector>

namespace hs::app {

// Numbers in reports: "0.1234", "3.251 %", "12 min 3 s".
std::string fourDigits(double value);
std::string percentText(double share);
std::string durationText(double seconds);

/// A line of a report on standard error. Unlike those of `say`, it asks for nothing.
void narrate(const std::string& line);

/// Shows a curve as it grows: each measurement of the held-out part, and now and then a line in between.
/// On a terminal the lines in between overwrite one another.
class TrainingProgress {
public:
    TrainingProgress();
    ~TrainingProgress() { wipe(); }
    TrainingProgress(const TrainingProgress&) = delete;
    TrainingProgress& operator=(const TrainingProgress&) = delete;

    void show(const train::CurvePoint& point, const train::Options& options);
    /// What is below a line keeps it from being left out or overwritten.
    void show(const std::string& line, const std::vector<std::string>& below);
    /// Removes a line that would be overwritten.
    void wipe();

private:
    bool m_isTerminal;
    bool m_isOverwritable = false;
    double m_lastShown = 0;  // seconds
};

/// What was written where, and how good it is, compared with the dense model if there is one.
std::string describeOutcome(const train::Outcome& outcome, const std::string& out);

}  // namespace hs::app
