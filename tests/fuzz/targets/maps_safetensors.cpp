#include "fuzz/target.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets/maps_laws.h"

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    if (input.starts_with("PK"))
        return;
    static const MemoryFile kFile;
    requireSoundMaps(kFile.with(input), input.size());
}

const Target kTarget("maps_safetensors", check);

}  // namespace
}  // namespace hs::fuzz
