#include "fuzz/target.h"

#include "base/failure.h"
#include "engine/load/tensor_source_tensors.h"
#include "fuzz/memory_file.h"
#include "model/tensor_info.h"

#include <c10/util/Logging.h>

namespace hs::fuzz {
namespace {

constexpr std::int64_t kMostRead = 1 << 16;

std::unique_ptr<engine::PlainTensorSource> open(std::string_view content)
{
    static const MemoryFile kFile;
    // An error of libtorch carries a stack trace, whose symbols take longer to find than all the rest.
    static const bool kIsQuick = (c10::SetStackTraceFetcher([] { return std::string(); }), true);
    require(kIsQuick, "traces are off");
    model::ModelFiles files;
    files.format = model::ModelFiles::Format::StateDict;
    files.weights = {kFile.with(content)};
    return engine::openStateDict(files);
}

void check(std::string_view input)
{
    const auto source = guarded([&] { return open(input); });
    if (!source)
        return requireRefusal(source.error());
    for (const std::string& name : (*source)->names()) {
        const std::vector<std::int64_t> shape = (*source)->shape(name);
        require(model::tensorBytes(model::DType::F32, shape).has_value(), "a tensor has a shape");
        const at::Tensor tensor = (*source)->tensor(name);
        if (tensor.numel() <= kMostRead)
            tensor.clone(at::MemoryFormat::Contiguous);  // reads every element
        (*source)->release(name);
    }
}

const Target kTarget("state_dict", check);

}  // namespace
}  // namespace hs::fuzz
