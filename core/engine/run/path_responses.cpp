#include "engine/run/paths_tensors.h"

#include "engine/run/gradient_pass_tensors.h"
#include "engine/run/layer_heads_tensors.h"

#include <algorithm>
#include <map>

namespace hs::engine {
namespace {

constexpr std::int64_t kMostSenderRows = 2048;  // that go through a layer's projections side by side

at::Tensor timesOver(const at::Tensor& heads, std::int64_t times)  // [head, query, head size]
{
    return heads.repeat({times, 1, 1});
}

}  // namespace

PathResponses::PathResponses(RunMemory& memory, const PathRequest& request, const Hooks& hooks)
    : m_memory(memory), m_request(request), m_spec(request.run.model->spec()),
      m_decoder(request.run, request.run.tokens),
      m_length(static_cast<std::int64_t>(request.run.tokens.size())),
      m_position(request.run.capture.position.value_or(static_cast<int>(m_length) - 1))
{
    const c10::InferenceMode noGradients;
    memory.advance(request.run, m_decoder, m_spec.layers, {{}, hooks.stop});
    for (int layer = 0; layer < m_spec.layers; ++layer) {
        hooks.throwIfCancelled();
        m_outputs.push_back(layerHeads(m_decoder, request.run, layer, memory.residual(layer)).z);
    }
}

bool PathResponses::differs(HeadId head) const
{
    return !z(head.layer).select(1, head.head).equal(m_request.source->z(head.layer).select(1, head.head));
}

at::Tensor PathResponses::written(int layer, std::span<const int> heads) const
{
    const auto count = static_cast<std::int64_t>(heads.size());
    // The run's own comes last: rows of one product are rounded alike.
    const at::Tensor outputs = z(layer).unsqueeze(0).repeat({count + 1, 1, 1, 1});
    for (std::int64_t sender = 0; sender < count; ++sender)
        outputs[sender].select(1, heads[sender]).copy_(m_request.source->z(layer).select(1, heads[sender]));
    const at::Tensor added =
        m_decoder.attentionOutput(layer, outputs.flatten(0, 1)).view({count + 1, m_length, m_spec.hidden});
    return added.narrow(0, 0, count) - added.narrow(0, count, 1);
}

std::array<at::Tensor, 3> PathResponses::outputs(int layer, const at::Tensor& written) const
{
    const at::Tensor& residual = m_memory.residual(layer);
    const std::int64_t count = written.size(0);
    const Projections along = m_decoder.excerpt(count, 0, m_length)
                                  .project(layer, (residual + written.to(residual.options())).flatten(0, 1));
    Projections own = m_decoder.project(layer, residual);
    own.queries = timesOver(own.queries, count);
    own.keys = timesOver(own.keys, count);
    own.values = timesOver(own.values, count);
    const auto outputsWith = [&](at::Tensor Projections::* input) {
        Projections mixed = own;
        mixed.*input = along.*input;
        return attend(mixed, m_decoder.hiddenCells(layer), m_request.run.gate, {}, count)
            .view({count, m_length, m_spec.heads, m_spec.headDim});
    };
    return {outputsWith(&Projections::queries), outputsWith(&Projections::keys),
            outputsWith(&Projections::values)};
}

std::vector<double> PathResponses::logits(const at::Tensor& written) const
{
    const at::Tensor row = m_memory.residual(m_spec.layers)[m_position];  // [hidden]
    const at::Tensor rows = row + written.select(1, m_position).to(row.options());
    std::vector<double> logits;
    for (const at::Tensor& one : rows.split(1))
        logits.push_back(logitIn(m_decoder, one, m_request.target, m_request.versus).item<double>());
    return logits;
}

std::size_t PathResponses::sendersAtOnce() const
{
    return static_cast<std::size_t>(std::max<std::int64_t>(1, kMostSenderRows / m_length));
}

std::vector<PathGroup> groupPaths(const PathRequest& request, const PathResponses& responses)
{
    const int layers = request.run.model->spec().layers;
    // Receiving and sending layer, sender → paths
    std::map<std::pair<int, int>, std::map<int, std::vector<std::size_t>>, std::greater<>> ofLayers;
    std::map<HeadId, bool> differs;
    for (std::size_t index = 0; index < request.paths.size(); ++index) {
        const auto& [from, to] = request.paths[index];
        const auto [known, isNew] = differs.try_emplace(from, false);
        if (isNew)
            known->second = responses.differs(from);
        if (known->second)
            ofLayers[{to.input == PathInput::Logits ? layers : to.head.layer, from.layer}][from.head]
                .push_back(index);
    }
    std::vector<PathGroup> groups;
    for (const auto& [places, bySender] : ofLayers) {
        bool isFull = true;
        for (const auto& [sender, paths] : bySender) {
            if (isFull)
                groups.push_back({places.second, places.first, {}, {}});
            PathGroup& group = groups.back();
            for (const std::size_t path : paths)
                group.members.push_back({path, group.senders.size()});
            group.senders.push_back(sender);
            isFull = group.senders.size() >= responses.sendersAtOnce();
        }
    }
    return groups;
}

}  // namespace hs::engine
