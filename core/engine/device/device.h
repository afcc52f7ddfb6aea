#pragma once

#include "base/result.h"
#include "model/dtype.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::engine {

/// Where a model's weights are and its runs happen.
struct Device {
    enum class Kind { Cpu, Cuda };
    Kind kind = Kind::Cpu;
    int index = 0;

    bool isCuda() const { return kind == Kind::Cuda; }
    friend bool operator==(const Device&, const Device&) = default;
};

/// The devices that a model may be spread over, in the order of its layers.
struct DeviceChoice {
    std::vector<Device> devices;
    bool usesAll = true;  // false: only the first if it has room for the weights

    DeviceChoice(Device device = {}) : devices{device} {}
    DeviceChoice(std::vector<Device> list, bool all) : devices(std::move(list)), usesAll(all) {}

    bool isCuda() const;  // all of them
    friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

/// "cpu", "cuda:0".
std::string toString(Device device);
/// "cuda:0,cpu", as a user would type it.
std::string toString(const DeviceChoice& choice);

/// For people: "CPU, 2 threads", "NVIDIA H200".
std::string describe(Device device);
std::string describe(const DeviceChoice& choice);

/// How many threads a run on the processor takes: one for each core, unless OMP_NUM_THREADS says how many.
int processorThreads();

/// Reads "auto" (a GPU if there is one that works), "cpu", "cuda" or "cuda:N".
Result<Device> chooseDevice(std::string_view text);

/// Reads the same words and lists of them: "cuda:0,cpu". "auto" means all GPUs, using as few as possible.
Result<DeviceChoice> chooseDevices(std::string_view text);

/// Reads "auto" (none), "f32", "bf16" or "f16".
Result<std::optional<model::DType>> chooseDType(std::string_view text);

/// The precision a model of that type computes in there: "float32", "tf32" (float32 whose products may
/// be rounded), "bfloat16" or "float16".
std::string precisionName(Device device, model::DType dtype, bool tf32);

/// Bytes still free there, including what libtorch keeps for later; none if unknown.
std::optional<std::uint64_t> availableMemory(Device device);

/// Makes what the first work on a GPU waits for, if a model opened with these words may run on one.
void prepareDevice(std::string_view text);

/// Why a GPU that was used no longer works; none if it does. After a failed kernel, a reset or an error in its
/// memory every call fails until the process ends.
std::optional<std::string> failureOf(Device device);

/// Throws Failure, with a sentence that says what to do, if a GPU no longer works.
void requireWorking(Device device, const std::string& detail = {});

/// A sentence if this build is for GPUs and finds none, else nothing.
std::optional<std::string> missingGpuNote();

/// Gives back the GPU memory that libtorch keeps for later.
void giveBackMemory();

/// A sentence if libtorch computes with the slow reference BLAS, else nothing.
std::optional<std::string> slowBlasWarning();

}  // namespace hs::engine
