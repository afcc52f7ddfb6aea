#include "train/job_check.h"

#include "base/failure.h"
#include "train/training_memory.h"
#include "train/workers/workers_tensors.h"

namespace hs::train {
namespace {

TrainingSize sizeOf(const Job& job)
{
    return {job.workers->shareOf(job.rows).count,
            job.length,
            job.distils,
            job.computedIn,
            job.isFused,
            job.economy};
}

}  // namespace

TrainingForecast forecast(const Job& job)
{
    return forecastTraining(job.spec, sizeOf(job));
}

void checkJob(const Job& job)
{
    if (!job.limit && job.options.steps < 1)
        fail(ErrorCode::BadRequest, "A training needs at least one step; raise --steps.");
    if (job.options.sparsity && !job.distils)
        fail(ErrorCode::BadRequest, "Only a dense model that is there can be made sparse; give --model.");
    if (!job.device.isCuda() && job.computedIn != model::DType::F32)
        fail(ErrorCode::BadRequest, "On the processor trainings run in float32; leave out --dtype.");
    if (job.start)
        requireOneDevice(*job.start);
    if (job.economy.adapter && !job.start)
        fail(ErrorCode::BadRequest, "An adapter changes a model that is there; leave out --lora.");
    const int silent = job.options.sparsity ? job.options.sparsity->silentHeads : 0;
    if (silent > 0 && job.economy.adapter)
        fail(ErrorCode::BadRequest,
             "A head is silenced in the weights, which an adapter leaves as they are; leave out --silence or "
             "--lora.");
    if (silent >= job.spec.headShape().total())
        fail(ErrorCode::BadRequest, "The model has " + std::to_string(job.spec.headShape().total()) +
                                        " heads, and one at least has to be left; lower --silence.");
    requireTrainingMemory(job.spec, sizeOf(job), job.device);
}

}  // namespace hs::train
