#include "engine/device/device_tensors.h"

#include "base/failure.h"
#include "base/system_memory.h"

#ifdef HS_WITH_CUDA
#include "cuda/device_state.h"
#include "cuda/linear.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#endif

#include <ATen/CPUGeneratorImpl.h>

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <ranges>

namespace hs::engine {
namespace {

int cudaDeviceCount()
{
#ifdef HS_WITH_CUDA
    return c10::cuda::device_count();
#else
    return 0;
#endif
}

#ifdef HS_WITH_CUDA
struct TorchMemory {
    std::uint64_t taken = 0;
    std::uint64_t used = 0;
};

TorchMemory torchMemory(Device device)
{
    namespace allocator = c10::cuda::CUDACachingAllocator;
    if (!allocator::get()->initialized())
        return {};
    const auto stats = allocator::getDeviceStats(static_cast<c10::DeviceIndex>(device.index));
    return {static_cast<std::uint64_t>(stats.reserved_bytes[0].current),
            static_cast<std::uint64_t>(stats.allocated_bytes[0].current)};
}
#endif

/// Whether our kernels run on a GPU.
bool hasKernels([[maybe_unused]] Device gpu)
{
#ifdef HS_WITH_CUDA
    const auto& properties = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(gpu.index));
    return cuda::hasCodeFor(properties.major, properties.minor);
#else
    return false;
#endif
}

std::vector<Device> workingGpus()
{
    std::vector<Device> gpus;
    for (int index = 0; index < cudaDeviceCount(); ++index)
        if (const Device gpu{Device::Kind::Cuda, index}; hasKernels(gpu) && !failureOf(gpu))
            gpus.push_back(gpu);
    return gpus;
}

Device parseDevice(std::string_view text)
{
    if (text == "cpu")
        return {};
    if (text == "auto") {
        const std::vector<Device> gpus = workingGpus();
        return gpus.empty() ? Device{} : gpus.front();
    }
    const int gpus = cudaDeviceCount();
    int index = 0;
    bool isCuda = text == "cuda";
    if (text.starts_with("cuda:")) {
        const std::string_view number = text.substr(5);
        const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), index);
        isCuda = code == std::errc() && end == number.data() + number.size() && index >= 0;
    }
    if (!isCuda)
        fail(ErrorCode::BadRequest,
             "The device \"" + std::string(text) + "\" is none of auto, cpu, cuda, cuda:N" +
                 (text.find(',') == std::string_view::npos ? "." : "; name a single one here."));
    if (index >= gpus)
        fail(ErrorCode::NotFound,
             gpus > 0
                 ? "There is no GPU " + std::to_string(index) +
                       "; the last one is cuda:" + std::to_string(gpus - 1) + "."
                 : std::string("This machine or this build of HeadScope has no CUDA GPU; use --device cpu."));
    const Device gpu{Device::Kind::Cuda, index};
    if (!hasKernels(gpu))
        fail(ErrorCode::Unsupported, "The GPU " + toString(gpu) + ", " + describe(gpu) +
                                         ", is none that this HeadScope has code for; use --device cpu.");
    requireWorking(gpu);
    return gpu;
}

DeviceChoice parseDevices(std::string_view text)
{
    if (text == "auto") {
        std::vector<Device> gpus = workingGpus();
        return gpus.empty() ? DeviceChoice() : DeviceChoice(std::move(gpus), false);
    }
    std::vector<Device> devices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view name = text.substr(begin, end - begin);
        if (name == "auto")
            fail(ErrorCode::BadRequest,
                 "\"auto\" cannot be one of several devices; name all of them, or it alone.");
        devices.push_back(parseDevice(name));
        begin = end + 1;
    }
    return {std::move(devices), true};
}

}  // namespace

bool DeviceChoice::isCuda() const
{
    return std::ranges::all_of(devices, &Device::isCuda);
}

std::string toString(Device device)
{
    return device.isCuda() ? "cuda:" + std::to_string(device.index) : "cpu";
}

std::string toString(const DeviceChoice& choice)
{
    if (!choice.usesAll)
        return "auto";
    std::string list;
    for (const Device device : choice.devices)
        list += (list.empty() ? "" : ",") + toString(device);
    return list;
}

std::string describe([[maybe_unused]] Device device)
{
#ifdef HS_WITH_CUDA
    if (device.isCuda())
        return at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(device.index))->name;
#endif
    return "CPU, " + std::to_string(processorThreads()) + " threads";
}

std::string describe(const DeviceChoice& choice)
{
    std::string list;
    for (const Device device : choice.devices)
        list += (list.empty() ? "" : choice.usesAll ? " and " : " or ") + describe(device);
    return list;
}

Result<Device> chooseDevice(std::string_view text)
{
    return guarded([&] { return parseDevice(text); });
}

Result<DeviceChoice> chooseDevices(std::string_view text)
{
    return guarded([&] { return parseDevices(text); });
}

Result<std::optional<model::DType>> chooseDType(std::string_view text)
{
    using Choice = std::optional<model::DType>;
    if (text == "auto")
        return Choice();
    if (text == "f32")
        return Choice(model::DType::F32);
    if (text == "bf16")
        return Choice(model::DType::BF16);
    if (text == "f16")
        return Choice(model::DType::F16);
    return Error{
        ErrorCode::BadRequest, "The type \"" + std::string(text) + "\" is none of auto, f32, bf16, f16.", {}};
}

std::string precisionName(Device device, model::DType dtype, bool tf32)
{
    if (!device.isCuda())
        return "float32";
    if (dtype == model::DType::BF16 || dtype == model::DType::F16)
        return dtype == model::DType::BF16 ? "bfloat16" : "float16";
    return tf32 ? "tf32" : "float32";
}

std::optional<std::uint64_t> availableMemory(Device device)
{
#ifdef HS_WITH_CUDA
    if (device.isCuda()) {
        const std::optional<std::uint64_t> free = cuda::freeMemory(device.index);
        const TorchMemory torch = torchMemory(device);
        return free ? std::optional(*free + torch.taken - torch.used) : std::nullopt;
    }
#endif
    return device.isCuda() ? std::nullopt : hs::availableMemory();
}

void prepareDevice([[maybe_unused]] std::string_view text)
{
#ifdef HS_WITH_CUDA
    // What goes wrong here is told by the first model that is opened.
    static_cast<void>(guarded([&] {
        const Device first = parseDevices(text).devices.front();
        if (first.isCuda()) {
            const c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(first.index));
            at::zeros({1}, torchDevice(first));
            const cuda::LinearProducts products;
        }
        return true;
    }));
#endif
}

std::optional<std::string> failureOf([[maybe_unused]] Device device)
{
#ifdef HS_WITH_CUDA
    // A GPU that was not used yet is not looked at: that alone takes memory there.
    if (device.isCuda() && torchMemory(device).taken > 0)
        return cuda::failureOf(device.index);
#endif
    return std::nullopt;
}

void requireWorking(Device device, const std::string& detail)
{
    if (const std::optional<std::string> reason = failureOf(device))
        fail(ErrorCode::DeviceLost,
             "The GPU " + toString(device) + " no longer works (" + *reason +
                 "); what runs from now on does without it. Start HeadScope again to use it, and ask "
                 "nvidia-smi if it still fails.",
             detail);
}

std::optional<std::string> missingGpuNote()
{
#ifdef HS_WITH_CUDA
    if (const std::optional<std::string> reason = cuda::absence())
        return "This HeadScope is made for NVIDIA GPUs and found none (" + *reason +
               "), so models run on the processor; if there is a GPU, see that nvidia-smi lists it.";
    const auto gpus = cudaDeviceCount();
    const auto isUnknown = [](int index) { return !hasKernels({Device::Kind::Cuda, index}); };
    if (std::ranges::all_of(std::views::iota(0, gpus), isUnknown))
        return "This HeadScope has no code for " + describe(Device{Device::Kind::Cuda, 0}) +
               ", so models run on the processor.";
#endif
    return std::nullopt;
}

void giveBackMemory()
{
#ifdef HS_WITH_CUDA
    if (c10::cuda::CUDACachingAllocator::get()->initialized())
        c10::cuda::CUDACachingAllocator::emptyCache();
#endif
}

std::optional<std::string> slowBlasWarning()
{
    // libtorch computes with whichever library provides this BLAS product.
    Dl_info info = {};
    void* const product = dlsym(RTLD_DEFAULT, "sgemm_");
    if (!product || dladdr(product, &info) == 0 || !info.dli_fname)
        return std::nullopt;
    std::error_code ignored;
    const std::string library = std::filesystem::weakly_canonical(info.dli_fname, ignored).string();
    const std::string file = std::filesystem::path(library).filename().string();
    const bool isReference =
        file.starts_with("libblas.so") && library.find("openblas") == std::string::npos &&
        library.find("atlas") == std::string::npos && library.find("mkl") == std::string::npos;
    if (!isReference)
        return std::nullopt;
    return "The reference BLAS is loaded (" + library +
           "), which computes about thirty times slower than OpenBLAS; install libopenblas0-openmp.";
}

Tf32Scope::Tf32Scope(bool isAllowed) : m_before(at::globalContext().allowTF32CuBLAS())
{
    at::globalContext().setAllowTF32CuBLAS(isAllowed);
}

Tf32Scope::~Tf32Scope()
{
    at::globalContext().setAllowTF32CuBLAS(m_before);
}

at::Device torchDevice(Device device)
{
    return device.isCuda() ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.index))
                           : at::Device(at::kCPU);
}

at::Generator newGenerator(at::Device device, std::uint64_t seed)
{
    // Not a clone on the processor: libtorch 1.13 never frees those.
    at::Generator generator = device.is_cpu() ? at::detail::createCPUGenerator(seed)
                                              : at::globalContext().defaultGenerator(device).clone();
    generator.set_current_seed(seed);
    return generator;
}

at::ScalarType torchType(model::DType dtype)
{
    switch (dtype) {
    case model::DType::F32: return at::kFloat;
    case model::DType::F16: return at::kHalf;
    case model::DType::BF16: return at::kBFloat16;
    case model::DType::F64: return at::kDouble;
    case model::DType::I64: return at::kLong;
    case model::DType::I32: return at::kInt;
    case model::DType::I16: return at::kShort;
    case model::DType::I8: return at::kChar;
    case model::DType::U8: return at::kByte;
    case model::DType::Bool: return at::kBool;
    }
    return at::kFloat;
}

at::ScalarType computingType(Device device, model::DType weights)
{
    return device.isCuda() ? torchType(weights) : at::kFloat;
}

model::DType fromTorchType(at::ScalarType type, const std::string& what)
{
    for (const model::DType dtype :
         {model::DType::F32, model::DType::F16, model::DType::BF16, model::DType::F64, model::DType::I64,
          model::DType::I32, model::DType::I16, model::DType::I8, model::DType::U8, model::DType::Bool})
        if (torchType(dtype) == type)
            return dtype;
    fail(ErrorCode::Unsupported, what + " holds numbers of the type " + std::string(at::toString(type)) +
                                     "; save it as float32, float16 or bfloat16.");
}

}  // namespace hs::engine
