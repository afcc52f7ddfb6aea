#include "train/make_trainable_tensors.h"

#include "train/adapter_tensors.h"
#include "train/parameters_tensors.h"

namespace hs::train {

std::unique_ptr<Trainable> makeTrainable(const model::ArchSpec& spec, const engine::ModelWeights* start,
                                         const Economy& economy)
{
    if (economy.adapter)
        return std::make_unique<LoraAdapter>(spec, *start, *economy.adapter);
    return std::make_unique<ParameterLayout>(spec, start, economy.part);
}

}  // namespace hs::train
