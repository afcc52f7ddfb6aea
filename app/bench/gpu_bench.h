#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace hs::app {

/// The options of `bench --gpu`, as the user typed them.
struct GpuBenchArguments {
    std::string device = "auto";
    std::optional<int> rounds;
    std::string baseline;
    bool withoutLoading = false;
    bool tf32 = false;
    std::string json;
};

/// Adds the options that only make sense with `chosen`, the flag itself.
void addGpuBenchOptions(CLI::App& command, CLI::Option* chosen, GpuBenchArguments& arguments);

/// Times a GPU with the models and goals of `gpuCases` and prints each number as it becomes known. Throws
/// Failure.
void benchGpu(const GpuBenchArguments& arguments);

}  // namespace hs::app
