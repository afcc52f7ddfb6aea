#include "app/support/parts.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "train/named_prompts.h"

namespace hs::app {

Json conditionsOf(const std::string& file, const RunArguments& run, bool withoutBos)
{
    Json conditions = {{"prompts", train::contentHashOf(file)},
                       {"bos", !withoutBos},
                       {"gate", run.gate.value_or("auto")},
                       {"gate_bias", run.gateBias ? Json(*run.gateBias) : Json(nullptr)},
                       {"ablate", run.ablate},
                       {"tf32", run.tf32}};
    if (!run.adapters.empty())
        conditions["adapter"] = run.adapters;
    if (!run.scales.empty())
        conditions["scale"] = run.scales;
    return conditions;
}

void requireWhole(const std::vector<int>& indices, int count, const std::string& item)
{
    for (std::size_t place = 0; place < indices.size(); ++place) {
        const int expected = static_cast<int>(place);
        if (indices[place] > expected)
            fail(ErrorCode::BadRequest, item + " " + std::to_string(expected) +
                                            " is in none of the parts; add the shard that has it.");
        if (indices[place] < expected)
            fail(ErrorCode::BadRequest,
                 item + " " + std::to_string(indices[place]) + " is in two parts; give each part once.");
    }
    if (static_cast<int>(indices.size()) != count)
        fail(ErrorCode::BadRequest, "The parts hold " + formatCount(std::ssize(indices)) + " of " +
                                        formatCount(count) +
                                        " of the whole; add the shards that have the others.");
}

}  // namespace hs::app
