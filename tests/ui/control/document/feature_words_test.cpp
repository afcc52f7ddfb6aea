#include "control/document/feature_words.h"

#include "support/catch.h"
#include "ui/made_up_graph.h"

using namespace hs;
using namespace hs::test;

namespace {

using Kind = features::GraphNode::Kind;

int nodeOf(const service::FeatureGraph& found, int layer, int position)
{
    return figures::indicesOf(found.graph, {{Kind::Feature, layer, position, madeUpFeature(layer, position)}})
        .at(0);
}

}  // namespace

TEST_CASE("features are called by a label, or else by what the strongest one fires on or promotes")
{
    service::FeatureGraph found = madeUpGraph({4, 6, 6}, {1, 2, 3});
    control::GraphChoice choice;
    const int first = nodeOf(found, 0, 1), second = nodeOf(found, 1, 1), third = nodeOf(found, 2, 1);
    CHECK(featureName(found, choice, {first}) == QStringLiteral("a name"));
    CHECK(featureName(found, choice, {third, second}) == QStringLiteral("→ to"));
    CHECK(featureName(found, choice, {second, first}) == QStringLiteral("a name"));
    choice.labels[{0, static_cast<int>(madeUpFeature(0, 1))}] = "";  // taken away here
    CHECK(featureName(found, choice, {first}) == QStringLiteral("→ to"));
    choice.labels[{2, static_cast<int>(madeUpFeature(2, 1))}] = "large";
    CHECK(featureName(found, choice, {first, third}) == QStringLiteral("large"));
    for (features::FeatureTexts& texts : found.texts)
        texts.firesOn.resize(1);
    CHECK(featureName(found, choice, {second}) == QStringLiteral("Mary"));
    CHECK(featureName(found, choice, {nodeOf(found, 0, 2)}).isEmpty());
    CHECK(featureName(found, choice, {}).isEmpty());
}

TEST_CASE("every feature and group of a view has a name, the user's where there is one")
{
    const service::FeatureGraph found = madeUpGraph({4, 6, 6}, {1, 2, 3});
    const features::Supernode group{"mine", {{Kind::Feature, 0, 2, madeUpFeature(0, 2)}}};
    figures::GraphView view = figures::viewOf(found.graph, 1, {group});
    control::nameFeatures(view, found, {},
                          {QStringLiteral("The"), QStringLiteral("·large"), QStringLiteral("·is")});
    for (const figures::ViewNode& node : view.nodes) {
        CHECK(node.name.isEmpty() == (node.kind != Kind::Feature));
        if (node.kind != Kind::Feature)
            continue;
        if (node.isGroup)
            CHECK(node.name == QStringLiteral("mine"));
        else if (node.position == 2)
            CHECK(node.name == QStringLiteral("is"));
        CHECK(node.isOwnName == (node.isGroup || node.name == QStringLiteral("a name")));
    }
}
