#include "model/fingerprint.h"

#include "support/catch.h"
#include "support/temp_dir.h"

using namespace hs;
using test::TempDir;

TEST_CASE("a fingerprint is the same for the same files and another after any change it can see")
{
    const TempDir folder;
    std::string weights(300000, 'w');
    model::ModelFiles files;
    files.folder = folder.path();
    files.config = folder.write("config.json", "{}");
    files.weights = {folder.write("model.safetensors", weights)};
    const std::string before = model::fingerprintOf(files);
    CHECK(before.size() == 16);
    CHECK(model::fingerprintOf(files) == before);

    SECTION("the config")
    {
        folder.write("config.json", "{ }");
    }
    SECTION("the head of the weights")
    {
        weights.front() = 'x';
    }
    SECTION("the tail of the weights")
    {
        weights.back() = 'x';
    }
    SECTION("their size")
    {
        weights += 'w';
    }
    folder.write("model.safetensors", weights);
    CHECK(model::fingerprintOf(files) != before);
}
