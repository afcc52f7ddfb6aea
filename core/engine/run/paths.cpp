#include "engine/run/paths_tensors.h"

#include "engine/run/variants_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hs::engine {
namespace {

constexpr std::size_t kPathsAtOnce = 512;  // in one request for variants

/// Collects paths whose receivers' outputs are known, and runs what follows from them.
class PathRuns {
public:
    PathRuns(RunMemory& memory, const PathRequest& request, const Hooks& hooks, const VariantNews& news,
             VariantResult& result)
        : m_memory(memory), m_request(request), m_hooks(hooks), m_news(news), m_result(result)
    {
    }

    /// `output`: of the receiver along the path. [query, head size]
    void add(std::size_t path, const at::Tensor& output)
    {
        const HeadId receiver = m_request.paths[path].to.head;
        std::vector<HeadOutputs::Layer> layers(static_cast<std::size_t>(m_request.run.model->spec().layers));
        // Only the receiver is looked up, so that all heads may share its output.
        layers[receiver.layer].z =
            output.clone().unsqueeze(1).expand({output.size(0), m_request.run.model->spec().heads, -1});
        m_variants.push_back(
            {{receiver,
              {HeadAblation::Kind::Replace,
               std::make_shared<const HeadOutputs>(m_request.source->run(), std::move(layers))}}});
        m_paths.push_back(path);
        if (m_paths.size() == kPathsAtOnce)
            flush();
    }

    void flush()
    {
        if (m_paths.empty())
            return;
        const VariantRequest request{m_request.run,        std::exchange(m_variants, {}),
                                     m_request.target,     m_request.versus,
                                     /*prediction=*/false,
                                     /*loss=*/false};
        const VariantResult some = runVariants(m_memory, request, {{}, m_hooks.stop}, {});
        for (std::size_t index = 0; index < m_paths.size(); ++index)
            m_result.variants[m_paths[index]] = some.variants[index];
        m_paths.clear();
        tell();
    }

    void tell() const
    {
        const auto done = std::ranges::count_if(m_result.variants, [](const VariantReading& reading) {
            return !std::isnan(reading.logitDifference);
        });
        m_hooks.report(static_cast<int>(done), static_cast<int>(m_result.variants.size()));
        if (m_news)
            m_news(m_result);
    }

private:
    RunMemory& m_memory;
    const PathRequest& m_request;
    const Hooks& m_hooks;
    const VariantNews& m_news;
    VariantResult& m_result;
    std::vector<Ablations> m_variants;
    std::vector<std::size_t> m_paths;
};

VariantReading readingOf(double logitDifference)
{
    VariantReading reading = kUnread;
    reading.logitDifference = logitDifference;
    return reading;
}

}  // namespace

VariantResult runPaths(RunMemory& memory, const PathRequest& request, const Hooks& hooks,
                       const VariantNews& news)
{
    const c10::InferenceMode noGradients;
    const PathResponses responses(memory, request, hooks);
    const model::ArchSpec& spec = request.run.model->spec();
    const at::Tensor nothing =
        at::zeros({1, static_cast<std::int64_t>(request.run.tokens.size()), spec.hidden},
                  memory.residual(spec.layers).options());
    VariantResult result{readingOf(responses.logits(nothing).front()), {}};
    // What no group has leaves the run as it is.
    result.variants.assign(request.paths.size(), result.baseline);
    const std::vector<PathGroup> groups = groupPaths(request, responses);
    for (const PathGroup& group : groups)
        for (const PathGroup::Member& member : group.members)
            result.variants[member.path] = kUnread;

    PathRuns runs(memory, request, hooks, news, result);
    for (const PathGroup& group : groups) {
        hooks.throwIfCancelled();
        const at::Tensor written = responses.written(group.from, group.senders);
        if (group.to == spec.layers) {
            const std::vector<double> logits = responses.logits(written);
            for (const auto& [path, sender] : group.members)
                result.variants[path] = readingOf(logits[sender]);
            continue;
        }
        const std::array<at::Tensor, 3> outputs = responses.outputs(group.to, written);
        for (const auto& [path, sender] : group.members) {
            const PathEnd& to = request.paths[path].to;
            runs.add(path,
                     outputs[static_cast<std::size_t>(to.input)][static_cast<std::int64_t>(sender)].select(
                         1, to.head.head));
        }
    }
    runs.flush();
    runs.tell();
    return result;
}

}  // namespace hs::engine
