#include "train/silent_heads_tensors.h"

#include <algorithm>

namespace hs::train {
namespace {

// Of two heads that do the same, each alone seems to be of no use: after a few are gone, the others are tried anew.
constexpr int kRounds = 6;

template <class Take>
void forHeads(const model::ArchSpec& spec, const Take& take)
{
    for (int layer = 0; layer < spec.layers; ++layer)
        for (int head = 0; head < spec.heads; ++head)
            take(HeadId{layer, head});
}

}  // namespace

std::vector<HeadId> silentHeads(const model::ArchSpec& spec, const Trainable& trainable,
                                const at::Tensor& vector)
{
    std::vector<HeadId> silent;
    forHeads(spec, [&](HeadId head) {
        const Pieces queries = trainable.queriesOf(vector, head);
        if (!queries.empty() &&
            std::ranges::none_of(queries, [](const at::Tensor& piece) { return piece.any().item<bool>(); }))
            silent.push_back(head);
    });
    return silent;
}

void silence(const Trainable& trainable, const at::Tensor& vector, const std::vector<HeadId>& heads)
{
    for (const HeadId head : heads)
        for (const at::Tensor& piece : trainable.queriesOf(vector, head))
            piece.zero_();
}

void silenceLeastMissed(const model::ArchSpec& spec, const Trainable& trainable, const at::Tensor& vector,
                        int count, const std::function<double()>& loss, const Hooks& hooks)
{
    struct Missed {
        double loss = 0;
        HeadId head;
    };
    const c10::NoGradGuard fixed;
    const int portion = (count + kRounds - 1) / kRounds;
    for (int left = count; left > 0; left -= portion) {
        const std::vector<HeadId> silent = silentHeads(spec, trainable, vector);
        std::vector<Missed> missed;
        forHeads(spec, [&](HeadId head) {
            if (std::ranges::binary_search(silent, head))
                return;
            hooks.throwIfCancelled();
            const Pieces queries = trainable.queriesOf(vector, head);
            Pieces kept;
            for (const at::Tensor& piece : queries)
                kept.push_back(piece.clone());
            silence(trainable, vector, {head});
            missed.push_back({loss(), head});
            for (std::size_t index = 0; index < queries.size(); ++index)
                queries[index].copy_(kept[index]);
        });
        std::ranges::stable_sort(missed, {}, &Missed::loss);
        for (int index = 0; index < std::min(portion, left); ++index)
            silence(trainable, vector, {missed.at(static_cast<std::size_t>(index)).head});
    }
}

}  // namespace hs::train
