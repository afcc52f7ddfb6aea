#include "fuzz/target.h"

#include "base/failure.h"
#include "model/pickle_dialect.h"

namespace hs::fuzz {
namespace {

Result<std::string> translated(std::string_view pickle)
{
    return guarded([&] { return model::toTorchPickle(std::as_bytes(std::span(pickle)), "model.pth"); });
}

void check(std::string_view input)
{
    const Result<std::string> pickle = translated(input);
    if (!pickle)
        return requireRefusal(pickle.error());
    // Each instruction becomes at most itself and a mark.
    require(pickle->size() <= 2 * input.size(), "a translation takes no more than twice the memory");
    const Result<std::string> again = translated(*pickle);
    require(again && *again == *pickle, "what is translated needs no translation");
}

const Target kTarget("pickle_dialect", check);

}  // namespace
}  // namespace hs::fuzz
