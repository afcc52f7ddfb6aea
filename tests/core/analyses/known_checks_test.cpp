#include "analyses/known_checks.h"

#include "base/atomic_file.h"
#include "support/catch.h"
#include "support/temp_dir.h"

using namespace hs;

TEST_CASE("a check is known for the weights and the precision it was made with, and replaced by a later one")
{
    const test::TempDir folder;
    model::Environment environment;
    environment.xdgDataHome = folder.path();
    CHECK_FALSE(analyses::knownCheck(environment, "abc", "float32"));
    REQUIRE(analyses::rememberCheck(environment, "abc", "float32", {"transformers", 2e-6}));
    REQUIRE(analyses::rememberCheck(environment, "def", "float32", {"reference.npz", 1e-5}));
    CHECK(analyses::knownCheck(environment, "abc", "float32") == analyses::KnownCheck{"transformers", 2e-6});
    CHECK_FALSE(analyses::knownCheck(environment, "abc", "bfloat16"));
    REQUIRE(analyses::rememberCheck(environment, "abc", "float32", {"transformers", 1e-6}));
    CHECK(analyses::knownCheck(environment, "abc", "float32")->difference == 1e-6);
    CHECK(analyses::knownCheck(environment, "def", "float32")->reference == "reference.npz");
}

TEST_CASE("a damaged file of checks knows none, and is written anew")
{
    const test::TempDir folder;
    model::Environment environment;
    environment.xdgDataHome = folder.path();
    REQUIRE(analyses::rememberCheck(environment, "abc", "float32", {"transformers", 2e-6}));
    for (const char* const text :
         {"", "[1]", "{\"abc float32\": 3}", "{\"abc float32\": {\"reference\": 1}}"}) {
        writeFile(environment.ownData() / "checks.json", text);
        CHECK_FALSE(analyses::knownCheck(environment, "abc", "float32"));
    }
    REQUIRE(analyses::rememberCheck(environment, "abc", "float32", {"transformers", 2e-6}));
    CHECK(analyses::knownCheck(environment, "abc", "float32"));
}
