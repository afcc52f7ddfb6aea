#include "features/graph/sources_tensors.h"

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

/// Adds up where sources enter.
class EntryMaker {
public:
    explicit EntryMaker(const HeldRun& run) : m_run(run)
    {
        m_entries.embedding = at::zeros_like(run.embedding);
        for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
            m_entries.attention.push_back(at::zeros_like(run.embedding));
            m_entries.output.push_back(at::zeros_like(run.embedding));
        }
    }

    void add(const NodeId& source)
    {
        const bool isInLayer = source.kind == Kind::Feature || source.kind == Kind::Error;
        if (source.position < 0 || source.position >= m_run.length() ||
            (isInLayer && (source.layer < 0 || source.layer >= m_run.spec().layers)))
            refuse(source);
        const auto layer = static_cast<std::size_t>(source.layer);
        switch (source.kind) {
        case Kind::Feature: return addFeature(source);
        case Kind::Error:
            m_entries.output[layer][source.position].add_(m_run.layers[layer].error[source.position]);
            return;
        case Kind::Token: m_entries.embedding[source.position].add_(m_run.embedding[source.position]); return;
        case Kind::Position:
            if (!m_run.positions.defined())
                refuse(source);
            m_entries.embedding[source.position].add_(m_run.positions[source.position]);
            return;
        case Kind::Constant: return addConstant();
        case Kind::Logit: refuse(source);
        }
    }

    Entries take() { return std::move(m_entries); }

private:
    [[noreturn]] static void refuse(const NodeId& source)
    {
        const std::string where =
            source.kind == Kind::Feature
                ? " " + std::to_string(source.index) + " of layer " + std::to_string(source.layer)
                : std::string();
        fail(ErrorCode::BadRequest, "The " + std::string(wordOf(source.kind)) + where + " at position " +
                                        std::to_string(source.position) +
                                        " is no source in this run; choose a node of its graph.");
    }

    void addFeature(const NodeId& source)
    {
        const CoderFacts& facts = m_run.coders->facts();
        if (source.index < 0 || source.index >= facts.features)
            refuse(source);
        const double activation =
            m_run.activations[static_cast<std::size_t>(source.layer)][source.position][source.index]
                .item<double>();
        if (activation == 0)
            refuse(source);
        const int end = facts.crossesLayers ? facts.layers : source.layer + 1;
        for (int target = source.layer; target < end; ++target)
            m_entries.output[static_cast<std::size_t>(target)][source.position].add_(
                m_run.here(
                    m_run.coders->weights().decoders->rows(source.layer, target, {&source.index, 1})[0]) *
                activation);
    }

    void addConstant()
    {
        for (std::size_t layer = 0; layer < m_run.layers.size(); ++layer) {
            m_entries.attention[layer].add_(m_run.layers[layer].attentionConstant);
            m_entries.output[layer].add_(m_run.layers[layer].outputConstant);
        }
    }

    const HeldRun& m_run;
    Entries m_entries;
};

}  // namespace

Entries entriesOf(const HeldRun& run, std::span<const NodeId> sources)
{
    EntryMaker maker(run);
    for (const NodeId& source : sources)
        maker.add(source);
    return maker.take();
}

}  // namespace hs::features
