#include "base/feature_id.h"
#include "support/catch.h"

using namespace hs;

TEST_CASE("a feature's text form reads back as the same feature")
{
    for (const FeatureId id : {FeatureId{0, 0}, FeatureId{3, 120}, FeatureId{31, 2147483647}})
        CHECK(parseFeatureId(toString(id)) == id);
}

TEST_CASE("what is no feature is not read as one")
{
    for (const char* text :
         {"", "L", "L3", "L3F", "3F1", "L3F1 ", " L3F1", "L-3F1", "L3F-1", "L3H1", "L3F2147483648"})
        CHECK_FALSE(parseFeatureId(text));
}
