#include "engine/load/open_model.h"

#include "support/models.h"
#include "support/temp_dir.h"

using namespace hs;
using namespace hs::test;

namespace {

engine::Workspace opened(engine::ModelOpener& opener, const std::string& model,
                         const std::string& dtype = "auto")
{
    return value(opener.open({model, "cpu", dtype}));
}

}  // namespace

TEST_CASE("a model is opened with its tokenizer, and without where its folder has none")
{
    engine::ModelOpener opener;
    const engine::Workspace demo = opened(opener, "demo:sparse");
    REQUIRE(demo.tokenizer);
    CHECK(demo.tokenizer->idOf("Mary"));
    CHECK(demo.model->spec().gateBias);
    CHECK(demo.folder.filename() == "demo-sparse");
    CHECK(demo.fingerprint.size() == 16);
    CHECK(demo.loadMilliseconds > 0);
    const engine::Workspace golden = opened(opener, (goldenModels() / "gpt2").string());
    CHECK_FALSE(golden.tokenizer);
    CHECK(golden.fingerprint != demo.fingerprint);
}

TEST_CASE("what is in use is not read again, and what nobody uses or is asked for in another type is")
{
    engine::ModelOpener opener;
    engine::Workspace first = opened(opener, "demo:dense");
    const engine::Workspace again = opened(opener, (first.folder / "config.json").string());
    CHECK(again.model == first.model);
    CHECK(again.tokenizer == first.tokenizer);
    CHECK(again.notes == first.notes);
    CHECK(opened(opener, "demo:dense", "bf16").model != first.model);
    engine::ModelOpener other;
    CHECK(opened(other, "demo:dense").model != first.model);
}

TEST_CASE("a tokenizer that cannot be read is said before any weights are read")
{
    const TempDir folder;
    std::filesystem::copy(goldenModels() / "gpt2", folder / "model");
    folder.write("model/tokenizer.json", "no JSON");
    int reports = 0;
    const Hooks hooks{[&](int, int) { ++reports; }, {}};
    const auto refused = engine::ModelOpener().open({(folder / "model").string(), "cpu", "auto"}, hooks);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("tokenizer.json") != std::string::npos);
    CHECK(reports == 0);
}

TEST_CASE("a model, a device or a type that does not exist is refused in a sentence")
{
    const auto refusal = [](const engine::ModelArguments& arguments) {
        const auto refused = engine::ModelOpener().open(arguments);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code != ErrorCode::Internal);
        return refused.error().message;
    };
    CHECK(refusal({"demo:medium", "cpu", "auto"}).find("demo:dense") != std::string::npos);
    CHECK(refusal({"demo:dense", "tpu", "auto"}).find("cuda") != std::string::npos);
    CHECK(refusal({"demo:dense", "cpu", "f8"}).find("bf16") != std::string::npos);
}
