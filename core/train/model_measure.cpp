#include "train/model_measure.h"

#include "base/failure.h"
#include "train/measure_tensors.h"
#include "train/training_memory.h"

namespace hs::train {

Result<HeldOutMeasure> measureModel(const engine::Model& model, const engine::Model* dense,
                                    const BatchSource& data, const Hooks& hooks)
{
    return guarded([&] {
        requireOneDevice(model);
        if (dense)
            requireOneDevice(*dense);
        const MeasuredModel measured{model.spec(), model.weights(), model.spec().gateBias};
        if (!dense)
            return measureHeldOut(measured, nullptr, data.heldOut(), data.groups(), Operations::Fused, hooks);
        const MeasuredModel beside{dense->spec(), dense->weights(), dense->spec().gateBias};
        return measureHeldOut(measured, &beside, data.heldOut(), data.groups(), Operations::Fused, hooks);
    });
}

Result<PairMeasure> measurePair(const GatedModel& dense, const GatedModel& sparse,
                                const std::vector<HeldOutBatch>& rows, const Hooks& hooks)
{
    return guarded([&] {
        requireOneDevice(dense.model);
        requireOneDevice(sparse.model);
        const auto measured = [](const GatedModel& gated) {
            return MeasuredModel{gated.model.spec(), gated.model.weights(), gated.gateBias};
        };
        return measureBoth(measured(dense), measured(sparse), rows, {"text"}, Operations::Fused, hooks);
    });
}

}  // namespace hs::train
