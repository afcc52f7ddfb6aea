#pragma once

#include "base/head_id.h"
#include "base/hooks.h"
#include "model/arch_spec.h"
#include "train/trainable_tensors.h"

#include <functional>
#include <vector>

namespace hs::train {

/// A head is silent whose queries are zero: so are all its scores, and no gate without a bias opens. What is trained
/// shows which heads are, so that they need no record of their own.

/// The heads that are silent in a vector of weights; none where queries are not trained themselves.
std::vector<HeadId> silentHeads(const model::ArchSpec& spec, const Trainable& trainable,
                                const at::Tensor& vector);

/// Makes heads silent in a vector of weights or, of a gradient, keeps them so.
void silence(const Trainable& trainable, const at::Tensor& vector, const std::vector<HeadId>& heads);

/// Makes `count` heads silent that are missed least: in a few rounds, each of which tries every head that is left by
/// itself and takes those without which `loss`, of the vector as it then is, is least.
void silenceLeastMissed(const model::ArchSpec& spec, const Trainable& trainable, const at::Tensor& vector,
                        int count, const std::function<double()>& loss, const Hooks& hooks);

}  // namespace hs::train
