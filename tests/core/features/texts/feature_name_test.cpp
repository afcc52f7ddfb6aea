#include "features/texts/feature_name.h"

#include "support/catch.h"

using namespace hs;
using features::FeatureName;
using features::FeatureTexts;
using Origin = features::FeatureName::Origin;

namespace {

FeatureTexts firingOn(const std::vector<std::string>& tokens)
{
    FeatureTexts texts;
    for (const std::string& token : tokens)
        texts.firesOn.push_back({token, 1, token, 0});
    texts.promotes = {{" small", 2, {}, 0}, {" tiny", 1, {}, 0}};
    return texts;
}

}  // namespace

TEST_CASE("a feature is called what the user calls it, whatever it fires on")
{
    FeatureTexts texts = firingOn({" large", " large"});
    texts.label = "sizes";
    CHECK(nameOf(texts) == FeatureName{Origin::Label, "sizes"});
}

TEST_CASE("a feature that fires on one token most often is called that token, and else what it promotes")
{
    CHECK(nameOf(firingOn({" large", " big", "large"})) == FeatureName{Origin::FiresOn, "large"});
    CHECK(nameOf(firingOn({" large", " big"})) == FeatureName{Origin::Promotes, "small"});
    CHECK(nameOf(firingOn({})) == FeatureName{Origin::Promotes, "small"});
}

TEST_CASE("what a feature fires on names it only if it is a word, or if nothing else is known")
{
    FeatureTexts texts = firingOn({" \"", " \""});
    CHECK(nameOf(texts) == FeatureName{Origin::Promotes, "small"});
    texts.promotes.clear();
    CHECK(nameOf(texts) == FeatureName{Origin::FiresOn, "\""});
    CHECK(nameOf(firingOn({"größer"})) == FeatureName{Origin::FiresOn, "größer"});
}

TEST_CASE("a feature of which nothing is known has no name")
{
    CHECK(nameOf(FeatureTexts()) == FeatureName{});
}
