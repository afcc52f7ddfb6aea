#include "features/coders/coded_outputs_tensors.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"

using namespace hs;

namespace {

at::Tensor tensorOf(const test::NpyArray& array)
{
    return at::tensor(array.as<float>()).reshape(array.shape);
}

}  // namespace

TEST_CASE("sets that others' classes wrote give what those classes compute")
{
    const std::filesystem::path folder = std::filesystem::path(HS_SOURCE_DIR) / "tests/golden/transcoders";
    const std::string name = GENERATE("circuit-tracer-layers", "circuit-tracer-across", "gemma-scope",
                                      "gemma-scope-2", "saelens", "sparsify", "clt-training-none",
                                      "clt-training-concat", "clt-training-per-layer", "clt-training-source");
    INFO(name);
    auto expected = test::readNpz(folder / (name + ".npz"));
    const at::Tensor inputs = tensorOf(expected["inputs"]);  // [layer, position, width]
    const at::Tensor activations = tensorOf(expected["activations"]);
    const at::Tensor outputs = tensorOf(expected["outputs"]);
    model::ArchSpec spec;
    spec.layers = static_cast<int>(inputs.size(0));
    spec.hidden = static_cast<int>(inputs.size(2));
    const auto coders = test::value(features::openTranscoders(folder / name, spec));
    features::CodedOutputs coded(*coders);
    for (int index = 0; index < spec.layers; ++index) {
        const features::CoderLayer& layer = coders->weights().layers[static_cast<std::size_t>(index)];
        const at::Tensor fired = features::fire(
            coders->facts(), layer, at::addmm(layer.encoderBias, inputs[index], layer.encoder.t()));
        CHECK(fired.allclose(activations[index], 1e-5, 1e-5));
        CHECK(coded.next(inputs[index]).allclose(outputs[index], 1e-4, 1e-4));
    }
}
