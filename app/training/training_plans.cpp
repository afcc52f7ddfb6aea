#include "app/training/training_arguments.h"

namespace hs::app {

TrainingPlan densePlan(DataKind kind)
{
    TrainingPlan plan;
    plan.options.rate = 1e-3;
    plan.options.averaging = 0.99;
    if (kind == DataKind::Tasks) {
        plan.options.steps = 6000;
        plan.rows = 512;
        plan.length = 64;
    } else {
        plan.options.steps = 5000;
        plan.rows = 32;
        plan.length = 256;
    }
    return plan;
}

TrainingPlan sparsePlan(DataKind kind)
{
    TrainingPlan plan;
    plan.options.steps = 20000;
    train::SparsityOptions sparsity;
    if (kind == DataKind::Tasks) {
        plan.options.rate = 5e-4;
        plan.options.averaging = 0.995;
        plan.options.measureEvery = 250;
        sparsity.tolerance = 0.02;
        sparsity.headPenalty = 1;
        sparsity.speed = 0.003;
        plan.rows = 512;
        plan.length = 64;
    } else {
        plan.options.steps = 27000;
        plan.options.rate = 5e-4;
        plan.options.averaging = 0.999;
        plan.options.measureEvery = 500;
        sparsity.tolerance = 0.05;
        plan.rows = 64;
        plan.length = 256;
    }
    plan.options.sparsity = sparsity;
    return plan;
}

}  // namespace hs::app
