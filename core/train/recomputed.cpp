#include "train/recomputed_tensors.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

namespace hs::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct KeptWork : torch::CustomClassHolder {
    explicit KeptWork(RecomputedWork given) : work(std::move(given)) {}
    RecomputedWork work;
};

struct RecomputedFunction : torch::autograd::Function<RecomputedFunction> {
    static variable_list forward(AutogradContext* context, at::TensorList inputs,
                                 const c10::intrusive_ptr<KeptWork>& kept)
    {
        context->set_materialize_grads(false);
        context->save_for_backward(inputs.vec());
        context->saved_data["work"] = c10::IValue::make_capsule(kept);
        // Operations may be others where no gradients are wanted: they are, though not from these inputs.
        const c10::AutoGradMode asLater(true);
        variable_list detached;
        for (const at::Tensor& input : inputs)
            detached.push_back(input.detach());
        return kept->work(detached);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const c10::AutoGradMode withGradients(true);
        const auto kept =
            c10::static_intrusive_pointer_cast<KeptWork>(context->saved_data["work"].toCapsule());
        variable_list inputs;
        variable_list wanted;  // inputs whose gradients somebody waits for
        for (const at::Tensor& saved : context->get_saved_variables()) {
            inputs.push_back(saved.detach().requires_grad_(saved.requires_grad()));
            if (saved.requires_grad())
                wanted.push_back(inputs.back());
        }
        const variable_list all = kept->work(inputs);
        variable_list outputs;
        variable_list given;
        for (std::size_t index = 0; index < all.size(); ++index)
            if (gradients[index].defined() && all[index].requires_grad()) {
                outputs.push_back(all[index]);
                given.push_back(gradients[index]);
            }
        const variable_list found = torch::autograd::grad(outputs, wanted, given, /*retain_graph=*/false,
                                                          /*create_graph=*/false, /*allow_unused=*/true);
        variable_list result;
        for (std::size_t index = 0, next = 0; index < inputs.size(); ++index)
            result.push_back(inputs[index].requires_grad() ? found[next++] : at::Tensor());
        result.emplace_back();  // the work has none
        return result;
    }
};

}  // namespace

std::vector<at::Tensor> recomputed(RecomputedWork work, const std::vector<at::Tensor>& inputs)
{
    return RecomputedFunction::apply(at::TensorList(inputs), c10::make_intrusive<KeptWork>(std::move(work)));
}

}  // namespace hs::train
