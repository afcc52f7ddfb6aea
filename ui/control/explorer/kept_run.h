#pragma once

#include "control/work/side_run.h"

namespace hs::control {

/// A run that later runs of its model are compared with: what tiles need from it. Its model is not kept alive.
struct KeptRun {
    std::string model;  // OpenRequest::source
    QString words;      // what was run: "“When Mary and John …”, gate on, 2 ablated"
    engine::RunResult run;
};

KeptRun keep(const SideRun& run);

}  // namespace hs::control
