#include "base/feature_scale.h"
#include "support/catch.h"

using namespace hs;

TEST_CASE("the text form of a scaled feature reads back as it was")
{
    for (const FeatureScale& scale : {FeatureScale{{3, 120}, {}, 0}, FeatureScale{{0, 0}, 5, 0.5},
                                      FeatureScale{{11, 16383}, 0, -2}, FeatureScale{{1, 2}, {}, 0.1}}) {
        const auto read = parseFeatureScale(toString(scale));
        REQUIRE(read);
        CHECK(*read == scale);
    }
    CHECK(toString(FeatureScale{{3, 120}, 5, 0.5}) == "L3F120@5=0.5");
    CHECK(toString(FeatureScale{{3, 120}, {}, 0}) == "L3F120=0");
}

TEST_CASE("what scales no feature is refused with how it is written")
{
    for (const char* const text : {"", "L3F120", "L3F120=", "=0", "L3F120@=0", "L3F120@-1=0", "L3F120@5",
                                   "L3F120=nan", "L3F120=inf", "L3F120=1x", "L3H120=0", "L3F120@5@6=1"}) {
        const auto read = parseFeatureScale(text);
        INFO(text);
        REQUIRE_FALSE(read);
        CHECK(read.error().message.find("L3F120=0") != std::string::npos);
    }
}
