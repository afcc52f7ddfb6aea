#include "engine/benchmark_tools.h"

#include "engine/model.h"

#include <algorithm>
#include <chrono>

namespace hs {

Json gpt2SmallConfig()
{
    return {{"model_type", "gpt2"}, {"n_layer", 12},       {"n_head", 12},
            {"n_embd", 768},        {"vocab_size", 50257}, {"n_positions", 1024}};
}

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

RunRequest benchRequest(std::shared_ptr<const Model> model, int tokens)
{
    RunRequest request;
    request.model = std::move(model);
    for (int position = 0; position < tokens; ++position)
        request.tokens.push_back(position * 7919 % request.model->spec().vocabulary);
    request.capture.fullMaps = true;
    request.capture.loss = false;
    return request;
}

}  // namespace hs
