#include "train/workers/workers_tensors.h"

#include "base/failure.h"
#include "engine/device/device_tensors.h"

#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/version.h>
#ifdef HS_WITH_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif
#ifdef HS_WITH_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#if TORCH_VERSION_MAJOR >= 2
#include <torch/csrc/distributed/c10d/Backend.hpp>
#else
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#endif

#include <csignal>
#include <cstdlib>
#include <future>
#include <limits>
#include <thread>

namespace hs::train {
namespace {

#if TORCH_VERSION_MAJOR >= 2
using Collectives = c10d::Backend;
#else
using Collectives = c10d::ProcessGroup;
#endif
using StorePointer = c10::intrusive_ptr<c10d::Store>;

std::string placeName(const WorkerPlace& place)
{
    return place.address + ":" + std::to_string(place.port);
}

/// Where the workers meet: the first one serves it.
StorePointer storeAt(const WorkerPlace& place, const Patience& patience)
{
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.isFirst();
    options.numWorkers = static_cast<std::size_t>(place.count);
    options.timeout = patience.toMeet;
    return c10::make_intrusive<c10d::TCPStore>(place.address, options);
}

#ifdef HS_WITH_GLOO
/// The interface to talk through: as the user says, this machine's own where the first worker is called by
/// that, else the one that this machine's name stands for.
std::shared_ptr<gloo::transport::Device> glooDevice(const WorkerPlace& place)
{
    if (const char* const interface = std::getenv("GLOO_SOCKET_IFNAME"); interface && *interface != '\0')
        return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
    if (place.address == "localhost" || place.address.starts_with("127."))
        return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
    return c10d::ProcessGroupGloo::createDefaultDevice();
}
#endif

c10::intrusive_ptr<Collectives> processorGroup([[maybe_unused]] const StorePointer& store,
                                               [[maybe_unused]] const WorkerPlace& place,
                                               [[maybe_unused]] const Patience& patience)
{
#ifdef HS_WITH_GLOO
    const auto options = c10d::ProcessGroupGloo::Options::create(patience.toAnswer);
    options->devices = {glooDevice(place)};
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.count, options);
#else
    fail(ErrorCode::Unsupported, "This build has no Gloo, through which workers on processors talk; install "
                                 "libgloo-dev and build again, or start one worker.");
#endif
}

c10::intrusive_ptr<Collectives> gpuGroup([[maybe_unused]] const StorePointer& store,
                                         [[maybe_unused]] const WorkerPlace& place,
                                         [[maybe_unused]] const Patience& patience)
{
#ifdef HS_WITH_NCCL
    // Waiting then ends with an exception when a worker is lost, where it would end the process.
    constexpr bool kHasNewName =
        TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2);
    ::setenv(kHasNewName ? "TORCH_NCCL_BLOCKING_WAIT" : "NCCL_BLOCKING_WAIT", "1", /*overwrite=*/0);
    const auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = patience.toAnswer;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, place.rank, place.count, options);
#else
    fail(ErrorCode::Unsupported,
         "This build has no NCCL, through which workers on GPUs talk; build it with a libtorch that has it, "
         "give --device cpu, or start one worker.");
#endif
}

[[noreturn]] void failToMeet(const WorkerPlace& place, const std::string& detail)
{
    if (place.isFirst())
        fail(ErrorCode::NotFound,
             "The first of " + std::to_string(place.count) + " workers could not meet the others at " +
                 placeName(place) +
                 "; check that MASTER_ADDR is this machine, that MASTER_PORT is free and that all workers "
                 "were started.",
             detail);
    fail(ErrorCode::NotFound,
         "Worker " + std::to_string(place.rank) + " of " + std::to_string(place.count) +
             " cannot reach the first one at " + placeName(place) +
             "; check that it was started, and that MASTER_ADDR and MASTER_PORT are its own.",
         detail);
}

}  // namespace

struct Workers::Group {
    StorePointer store;
    c10::intrusive_ptr<Collectives> collectives;
    at::Device device;

    Wait start(const at::Tensor& tensor, c10d::ReduceOp::RedOpType operation) const
    {
        const at::Tensor there = tensor.to(device);  // itself, unless it is on another device
        std::vector<at::Tensor> tensors = {there};
        c10d::AllreduceOptions options;
        options.reduceOp = operation;
        try {
            const auto work = collectives->allreduce(tensors, options);
            return [work, there, tensor] {
                try {
                    work->wait();
                } catch (const std::exception& error) {
                    throw WorkerLost(error.what());
                }
                if (!there.is_same(tensor))
                    tensor.copy_(there);
            };
        } catch (const std::exception& error) {
            throw WorkerLost(error.what());
        }
    }
};

Workers::Workers(const WorkerPlace& place, at::Device device, const Patience& patience) : m_place(place)
{
    // Gloo writes to a worker that may have ended: an error to be told, not the end of this process.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const StorePointer store = storeAt(place, patience);
        m_group.reset(new Group{store,
                                device.is_cuda() ? gpuGroup(store, place, patience)
                                                 : processorGroup(store, place, patience),
                                device});
    } catch (const Failure&) {
        throw;
    } catch (const std::exception& error) {
        failToMeet(place, error.what());
    }
}

Workers::Workers() = default;
Workers::~Workers() = default;

RowRange Workers::shareOf(int rows) const
{
    const auto begin = [&](int rank) { return static_cast<int>(std::int64_t{rows} * rank / m_place.count); };
    return {begin(m_place.rank), begin(m_place.rank + 1) - begin(m_place.rank)};
}

Workers::Wait Workers::startSum(const at::Tensor& tensor) const
{
    return m_group ? m_group->start(tensor, c10d::ReduceOp::SUM) : [] {};
}

void Workers::most(const at::Tensor& tensor) const
{
    if (m_group)
        m_group->start(tensor, c10d::ReduceOp::MAX)();
}

bool Workers::any(bool wish) const
{
    if (!m_group)
        return wish;
    const at::Tensor wishes = at::full({1}, wish ? 1 : 0, at::kLong);
    most(wishes);
    return wishes.item<std::int64_t>() != 0;
}

bool Workers::isSame(std::int64_t number) const
{
    // ~x falls where x rises, and has no overflow.
    const at::Tensor bounds = at::empty({2}, at::kLong);
    bounds.data_ptr<std::int64_t>()[0] = number;
    bounds.data_ptr<std::int64_t>()[1] = ~number;
    most(bounds);
    return bounds[0].item<std::int64_t>() == ~bounds[1].item<std::int64_t>();
}

bool Workers::reachesFirst() const
{
    if (!m_group || isFirst())
        return true;
    // On a thread that may be left behind: a first worker that hangs would never answer.
    std::promise<bool> answer;
    std::future<bool> isThere = answer.get_future();
    std::thread([store = m_group->store, answer = std::move(answer)]() mutable {
        try {
            store->add("is_there", 1);
            answer.set_value(true);
        } catch (const std::exception&) {
            answer.set_value(false);
        }
    }).detach();
    return isThere.wait_for(std::chrono::seconds(5)) == std::future_status::ready && isThere.get();
}

std::shared_ptr<const Workers> oneWorker()
{
    return std::make_shared<const Workers>();
}

Result<std::shared_ptr<const Workers>> joinWorkers(const WorkerPlace& place, engine::Device device,
                                                   const Patience& patience)
{
    return guarded([&]() -> std::shared_ptr<const Workers> {
        if (place.isAlone())
            return oneWorker();
        return std::make_shared<const Workers>(place, engine::torchDevice(device), patience);
    });
}

}  // namespace hs::train
