#pragma once

#include "base/json.h"
#include "train/held_out.h"

#include <string>
#include <vector>

namespace hs::app {

/// How one model of the demo pair does on the held-out prompts of the built-in tasks.
struct DemoFigures {
    std::string model;  // "demo:dense"
    train::HeldOutMeasure measure;
    std::vector<bool> isProbability;  // [task] several answers are right, and the score is their
                                      // probability; else it is the share of correct answers
    int prompts = 0;                  // of each task
};

/// Throws Failure if a model does not know the tasks.
std::vector<DemoFigures> measureDemoPair(const std::string& device);

std::string demoTable(const std::vector<DemoFigures>& figures);
Json toJson(const std::vector<DemoFigures>& figures);

}  // namespace hs::app
