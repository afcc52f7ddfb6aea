#pragma once

#include "base/json.h"
#include "engine/run_request.h"

#include <functional>
#include <memory>
#include <vector>

namespace hs {

/// What benchmarks have in common.

Json gpt2SmallConfig();

/// With all maps and without the loss, of tokens that hardly repeat.
RunRequest benchRequest(std::shared_ptr<const Model> model, int tokens);

double milliseconds(const std::function<void()>& work);
double median(std::vector<double> values);

}  // namespace hs
