#include "train/adapter_tensors.h"

#include "base/failure.h"
#include "engine/device/device_tensors.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::train {
namespace {

/// As PEFT matches names, and two words for several of them.
bool isMeant(const std::string& word, const model::LinearModule& target)
{
    return word == "all-linear" || (word == "attention" && model::isAttentionWeight(target.role)) ||
           word == target.name || target.name.ends_with("." + word);
}

std::string namesOf(const std::vector<model::LinearModule>& targets)
{
    std::string names;
    std::set<std::string> said;
    for (const model::LinearModule& target : targets) {
        const std::string word = target.name.substr(target.name.rfind('.') + 1);
        if (said.insert(word).second)
            names += word + ", ";
    }
    return names;
}

}  // namespace

std::vector<std::vector<model::LinearModule>> adapterTargets(const model::ArchSpec& spec,
                                                             const AdapterOptions& options)
{
    std::vector<std::vector<model::LinearModule>> targets = model::linearModules(spec);
    for (const std::string& word : options.targets)
        if (std::ranges::none_of(targets.front(), [&](const auto& target) { return isMeant(word, target); }))
            fail(ErrorCode::BadRequest, "The model has no part \"" + word +
                                            "\" for --lora-targets; choose among " +
                                            namesOf(targets.front()) + "attention and all-linear.");
    for (std::vector<model::LinearModule>& layer : targets) {
        std::erase_if(layer, [&](const model::LinearModule& target) {
            return std::ranges::none_of(options.targets,
                                        [&](const std::string& word) { return isMeant(word, target); });
        });
        for (const model::LinearModule& target : layer)
            if (options.rank < 1 || options.rank > std::min(target.in, target.out))
                fail(ErrorCode::BadRequest, "A rank of " + std::to_string(options.rank) +
                                                " is no saving for " + target.name + ", which is " +
                                                std::to_string(target.out) + " x " +
                                                std::to_string(target.in) + "; give a smaller --lora.");
    }
    return targets;
}

LoraAdapter::LoraAdapter(const model::ArchSpec& spec, const engine::ModelWeights& base,
                         const AdapterOptions& options)
    : Trainable(spec.layers), m_base(base), m_options(options), m_targets(adapterTargets(spec, options))
{
    for (int layer = 0; layer < spec.layers; ++layer)
        for (const model::LinearModule& target : m_targets[layer]) {
            add(1 + layer, options.rank * target.in, true);
            add(1 + layer, target.out * options.rank, true);
        }
}

at::Tensor LoraAdapter::start(std::uint64_t seed) const
{
    at::Tensor vector = at::zeros({size()}, at::kFloat);
    const at::Generator generator = engine::newGenerator(at::kCPU, seed);
    std::size_t index = 0;
    for (const std::vector<model::LinearModule>& layer : m_targets)
        for (const model::LinearModule& target : layer) {
            const double bound = 1 / std::sqrt(static_cast<double>(target.in));
            piece(vector, index).uniform_(-bound, bound, generator);
            index += 2;
        }
    return vector.to(m_base[model::Role::Embedding].device());
}

Trainable::Table LoraAdapter::layer(int layer, const Pieces& pieces, at::ScalarType) const
{
    Table table = m_base.layers[layer];
    const std::vector<model::LinearModule>& targets = m_targets[layer];
    for (std::size_t index = 0; index < targets.size();) {
        at::Tensor& whole = table[static_cast<int>(targets[index].role)];
        const model::Role role = targets[index].role;
        std::vector<at::Tensor> rows;  // of the changed tensor, one part after another
        std::int64_t done = 0;
        for (; index < targets.size() && targets[index].role == role; ++index) {
            const model::LinearModule& target = targets[index];
            const at::Tensor a = pieces[2 * index].to(whole.scalar_type()).view({m_options.rank, target.in});
            const at::Tensor b =
                pieces[2 * index + 1].to(whole.scalar_type()).view({target.out, m_options.rank});
            if (target.row > done)
                rows.push_back(whole.narrow(0, done, target.row - done));
            rows.push_back(at::addmm(whole.narrow(0, target.row, target.out), b, a, 1, m_options.scale()));
            done = target.row + target.out;
        }
        if (done < whole.size(0))
            rows.push_back(whole.narrow(0, done, whole.size(0) - done));
        whole = rows.size() == 1 ? rows.front() : at::cat(rows);
    }
    return table;
}

}  // namespace hs::train
