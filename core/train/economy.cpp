#include "train/economy.h"

namespace hs::train {

Json toJson(const Economy& economy)
{
    Json json = {{"states", model::name(economy.states)}, {"part", wordOf(economy.part)}};
    if (const auto& adapter = economy.adapter)
        json["adapter"] = {{"rank", adapter->rank}, {"alpha", adapter->alpha}, {"targets", adapter->targets}};
    return json;
}

}  // namespace hs::train
