#include "control/document/feature_words.h"

#include "control/document/token_label.h"
#include "features/texts/feature_name.h"

#include <algorithm>

namespace hs::control {
namespace {

FeatureId featureAt(const service::FeatureGraph& found, int node)
{
    const features::GraphNode& feature = found.graph.nodes[static_cast<std::size_t>(node)];
    return {feature.layer, static_cast<int>(feature.index)};
}

QString firstLabel(const service::FeatureGraph& found, const GraphChoice& choice,
                   const std::vector<int>& nodes)
{
    for (const int node : nodes)
        if (const QString label = featureLabel(found, choice, featureAt(found, node)); !label.isEmpty())
            return label;
    return {};
}

}  // namespace

QString featureLabel(const service::FeatureGraph& found, const GraphChoice& choice, FeatureId feature)
{
    if (const auto given = choice.labels.find(feature); given != choice.labels.end())
        return QString::fromStdString(given->second);
    const features::FeatureTexts* const texts = found.textsOf(feature);
    return texts ? QString::fromStdString(texts->label) : QString();
}

QString featureName(const service::FeatureGraph& found, const GraphChoice& choice,
                    const std::vector<int>& nodes)
{
    if (nodes.empty())
        return {};
    if (const QString label = firstLabel(found, choice, nodes); !label.isEmpty())
        return label;
    const int strongest = *std::ranges::max_element(
        nodes, {}, [&](int node) { return found.graph.nodes[static_cast<std::size_t>(node)].influence; });
    const features::FeatureTexts* const known = found.textsOf(featureAt(found, strongest));
    if (!known)
        return {};
    features::FeatureTexts texts = *known;
    texts.label.clear();  // one that was taken away here
    const features::FeatureName name = features::nameOf(texts);
    switch (name.origin) {
    case features::FeatureName::Origin::FiresOn: return tokenLabel(name.text);
    case features::FeatureName::Origin::Promotes: return QStringLiteral("→ %1").arg(tokenLabel(name.text));
    case features::FeatureName::Origin::Label:
    case features::FeatureName::Origin::Nothing: break;
    }
    return {};
}

void nameFeatures(figures::GraphView& view, const service::FeatureGraph& found, const GraphChoice& choice,
                  const QStringList& tokens)
{
    for (figures::ViewNode& node : view.nodes) {
        if (node.kind != features::GraphNode::Kind::Feature)
            continue;
        node.isOwnName = !node.name.isEmpty() || !firstLabel(found, choice, node.members).isEmpty();
        if (node.name.isEmpty())
            node.name = featureName(found, choice, node.members);
        if (node.name.isEmpty())
            node.name = tokens.value(node.position).remove(QChar(0x00b7));
    }
}

}  // namespace hs::control
