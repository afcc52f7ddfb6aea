#pragma once

#include "engine/run/head_outputs_tensors.h"
#include "engine/run/paths.h"
#include "engine/run/run_memory_tensors.h"
#include "engine/run/variants.h"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace hs::engine {

/// What receivers make of what senders write: the first half of every path. See PathRequest for the words.
class PathResponses {
public:
    /// Brings `memory`, which has to outlive it, up to date with the run.
    PathResponses(RunMemory& memory, const PathRequest& request, const Hooks& hooks);

    const at::Tensor& z(int layer) const { return m_outputs[layer]; }  // [query, head, head size], of the run
    const Decoder& decoder() const { return m_decoder; }

    /// Whether the source has other bits for a head than the run.
    bool differs(HeadId head) const;

    /// What some heads of a layer write more along their paths. [sender, query, hidden]
    at::Tensor written(int layer, std::span<const int> heads) const;

    /// Outputs of every head of a layer when its query, key or value reads what each sender writes more.
    /// [query | key | value] of [sender, query, head, head size]
    std::array<at::Tensor, 3> outputs(int layer, const at::Tensor& written) const;

    /// The logit of the target minus that of versus when it reads what each sender writes more. [sender]
    std::vector<double> logits(const at::Tensor& written) const;

    /// How many senders are worth being taken at once.
    std::size_t sendersAtOnce() const;

private:
    const RunMemory& m_memory;
    const PathRequest& m_request;
    const model::ArchSpec& m_spec;
    Decoder m_decoder;
    std::int64_t m_length;
    std::int64_t m_position;
    std::vector<at::Tensor> m_outputs;  // [layer]
};

/// Some senders of one layer, and the paths from them to one layer, or to the logits: its number is then that of the
/// layers.
struct PathGroup {
    int from = 0;
    int to = 0;
    std::vector<int> senders;  // heads
    struct Member {
        std::size_t path = 0;    // in the request
        std::size_t sender = 0;  // in `senders`
    };
    std::vector<Member> members;
};

/// All paths whose senders differ, those to the last layers first; at most so many senders each.
std::vector<PathGroup> groupPaths(const PathRequest& request, const PathResponses& responses);

/// Every path by itself, exactly: the logit difference with it. As many side by side as runVariants takes. Throws
/// Failure.
VariantResult runPaths(RunMemory& memory, const PathRequest& request, const Hooks& hooks,
                       const VariantNews& news);

/// How the logit changes with each head's output of a layer on its way from the run to the source, all else as in the
/// run: the mean of the gradient over the straight line between the two, by Gauss's rule. Times the way, it adds up
/// to what taking the head from the source does. Gates are held constant. [query, head, head size]
at::Tensor integratedGradients(const RunMemory& memory, const PathRequest& request,
                               const PathResponses& responses, int layer, const Hooks& hooks);

/// What each path changes, to first order in what its receiver puts out: the integrated gradient times the change of the
/// output, which is exact, as are paths to the logits. [path] Throws Failure.
std::vector<double> estimatePaths(RunMemory& memory, const PathRequest& request, const Hooks& hooks);

}  // namespace hs::engine
