#include "engine/run/head_gradients_tensors.h"

#include "engine/run/gradient_pass_tensors.h"

namespace hs::engine {

std::shared_ptr<const HeadOutputs> headGradients(RunMemory& memory, const RunRequest& run,
                                                 std::int64_t target, std::optional<std::int64_t> versus,
                                                 const Hooks& hooks)
{
    const int layers = run.model->spec().layers;
    const Decoder decoder(run, run.tokens);
    {
        const c10::InferenceMode noGradients;
        memory.advance(run, decoder, layers, hooks);
    }
    const c10::InferenceMode withGradients(false);
    const GradientPass pass(run, decoder, [&](int layer) { return memory.residual(layer); });
    at::Tensor gradient = pass.ofLogits(target, versus);
    std::vector<HeadOutputs::Layer> gradients(static_cast<std::size_t>(layers));
    for (int layer = layers - 1; layer >= 0; --layer) {
        hooks.throwIfCancelled();
        gradients[layer] = pass.throughLayer(layer, gradient);
    }
    return std::make_shared<const HeadOutputs>(run, std::move(gradients));
}

}  // namespace hs::engine
