#pragma once

#include "app/array/array_plan.h"

#include <vector>

namespace hs::app {

/// How many parts run side by side here, and with how many threads each.
struct LocalRoom {
    int jobs = 1;
    int threads = 1;
};
LocalRoom localRoom(const ArrayPlan& plan);

/// Does parts in processes of their own, as many at once as there is room for; those that fail are started
/// again. Throws Failure(Cancelled) at Ctrl-C, once all of them have ended.
void runHere(const ArrayPlan& plan, std::vector<int> parts);

}  // namespace hs::app
