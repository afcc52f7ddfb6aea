#include "engine/load/adapter.h"

#include "engine/load/adapter_shelf.h"
#include "engine/load/adapter_tensors.h"
#include "engine/load/open_model.h"
#include "support/adapters.h"
#include "support/mentions.h"

#include <cmath>
#include <iterator>
#include <map>

using namespace hs;

namespace {

/// What is said about an adapter whose files were changed.
class ChangedAdapter {
public:
    explicit ChangedAdapter(const std::string& golden = "llama-grouped")
        : base(test::openOnce(golden)), factors(test::randomFactors(base->spec(), 3))
    {
    }

    Result<std::shared_ptr<const engine::Adapter>> open() const
    {
        const auto folder = test::writeAdapterFolder(files / "adapter", config, factors);
        const auto located = model::locateAdapter(folder.string(), {});
        if (!located)
            return located.error();
        return engine::loadAdapter(*located, *base);
    }

    std::string refusal() const
    {
        const auto opened = open();
        return opened ? std::string() : opened.error().message;
    }

    test::TempDir files;
    std::shared_ptr<const engine::Model> base;
    Json config = test::adapterConfig();
    test::NamedTensors factors;
};

/// Of queries, keys or values.
double scaleOf(const engine::Adapter& adapter, int layer, int part)
{
    std::map<std::int64_t, double> byRow;
    for (const engine::LowRankChange& change : adapter.weights().at(layer, model::Role::QkvWeight))
        byRow[change.row] = change.scale;
    REQUIRE(byRow.size() == 3);
    return std::next(byRow.begin(), part)->second;
}

}  // namespace

TEST_CASE("an adapter of every architecture opens with all of its modules")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    const ChangedAdapter changed(name);
    const auto adapter = test::value(changed.open());
    CHECK(adapter->facts().modules * 2 == static_cast<int>(changed.factors.size()));
    CHECK(adapter->facts().rank == 3);
    CHECK(adapter->facts().firstLayer == 0);
    CHECK(engine::fits(*adapter, *changed.base));
}

TEST_CASE("the scale of an adapter is alpha over its rank, or over the rank's root")
{
    ChangedAdapter changed;
    CHECK(scaleOf(*test::value(changed.open()), 0, 0) == Approx(4.0 / 3));
    changed.config["use_rslora"] = true;
    CHECK(scaleOf(*test::value(changed.open()), 0, 0) == Approx(4 / std::sqrt(3.0)));
}

TEST_CASE("patterns of names give modules other ranks and alphas, as PEFT reads them")
{
    ChangedAdapter changed;
    for (auto& [name, tensor] : changed.factors)
        if (name.find("layers.1.self_attn.k_proj") != std::string::npos)
            tensor = at::cat({tensor, tensor}, name.ends_with("lora_A.weight") ? 0 : 1);
    CHECK(test::mentions(changed.refusal(), "but its adapter_config.json says 3"));
    changed.config["rank_pattern"] = {{"layers.1.self_attn.k_proj", 6}};
    changed.config["alpha_pattern"] = {{"k_proj", 12},
                                       {"self_attn.v", 100}};  // the latter is no end of a name
    const auto adapter = test::value(changed.open());
    CHECK(scaleOf(*adapter, 0, 0) == Approx(4.0 / 3));
    CHECK(scaleOf(*adapter, 0, 1) == Approx(4.0));
    CHECK(scaleOf(*adapter, 1, 1) == Approx(2.0));
    CHECK(scaleOf(*adapter, 1, 2) == Approx(4.0 / 3));
    changed.config["alpha_pattern"]["self_attn.k_proj"] = 5;
    CHECK(test::mentions(changed.refusal(), "several patterns in alpha_pattern"));
    changed.config["alpha_pattern"] = {{"(k_proj", 5}};
    CHECK_FALSE(changed.refusal().empty());
}

TEST_CASE("factors under the name of the default adapter are the same")
{
    ChangedAdapter changed("gpt2");
    for (auto& [name, tensor] : changed.factors)
        name.replace(name.rfind(".weight"), std::string::npos, ".default.weight");
    CHECK(test::value(changed.open())->facts().modules == 4 * changed.base->spec().layers);
}

TEST_CASE("what is no factor of a LoRA adapter is refused by its name")
{
    const std::string module = "base_model.model.model.layers.0.self_attn.q_proj";
    const auto refusalWith = [](const std::string& name, const at::Tensor& tensor = at::ones({2, 2})) {
        ChangedAdapter changed;
        changed.factors.emplace_back(name, tensor);
        return changed.refusal();
    };
    const std::string dora = refusalWith(module + ".lora_magnitude_vector", at::ones({4}));
    CHECK(test::mentions(dora, "is a DoRA adapter"));
    CHECK(test::mentions(dora, "merge_and_unload"));
    CHECK(test::mentions(refusalWith("base_model.model.model.embed_tokens.lora_embedding_A"),
                         "changes embeddings"));
    CHECK(test::mentions(refusalWith("base_model.model.lm_head.weight"), "is no factor of a LoRA adapter"));
    CHECK(test::mentions(refusalWith(module + ".lora_B.bias"), "is no factor of a LoRA adapter"));
    CHECK(test::mentions(refusalWith(module + ".hada_w1_a"), "is no factor of a LoRA adapter"));
    CHECK(test::mentions(refusalWith(module + ".lora_A.default.weight"), "which mean the same"));

    ChangedAdapter half;
    half.factors.pop_back();
    CHECK(test::mentions(half.refusal(), "lacks the other"));
    ChangedAdapter none;
    none.factors.clear();
    CHECK(test::mentions(none.refusal(), "changes nothing"));
    ChangedAdapter vocabulary;
    vocabulary.factors.emplace_back("base_model.model.lm_head.lora_A.weight", at::ones({3, 2}));
    vocabulary.factors.emplace_back("base_model.model.lm_head.lora_B.weight", at::ones({2, 3}));
    CHECK(test::mentions(vocabulary.refusal(), "reads or writes the vocabulary"));
}

TEST_CASE("an adapter that does not fit its base is refused with both shapes")
{
    ChangedAdapter deeper;
    deeper.factors.emplace_back("base_model.model.model.layers.99.self_attn.q_proj.lora_A.weight",
                                at::ones({3, 2}));
    deeper.factors.emplace_back("base_model.model.model.layers.99.self_attn.q_proj.lora_B.weight",
                                at::ones({2, 3}));
    CHECK(test::mentions(deeper.refusal(), "does not have"));
    ChangedAdapter wider;
    wider.factors.front().second = at::ones({3, 7});
    CHECK(test::mentions(wider.refusal(), "by factors of the shapes"));
    ChangedAdapter flat;
    flat.factors.front().second = at::ones({3});
    CHECK(test::mentions(flat.refusal(), "by factors of the shapes"));
    ChangedAdapter uneven;
    uneven.factors[1].second = at::ones({uneven.factors[1].second.size(0), 4});
    CHECK(test::mentions(uneven.refusal(), "by factors of the shapes"));
    ChangedAdapter high;
    high.config["r"] = 60000;
    high.factors.resize(2);
    high.factors[0].second = at::ones({60000, high.factors[0].second.size(1)});
    high.factors[1].second = at::ones({high.factors[1].second.size(0), 60000});
    CHECK(test::mentions(high.refusal(), "more than it has rows and columns"));
}

TEST_CASE("the folder of an adapter opens its base with the adapter in every run")
{
    const ChangedAdapter changed("llama-grouped");
    Json config = changed.config;
    config["base_model_name_or_path"] = (test::goldenModels() / "llama-grouped").string();
    const auto folder = test::writeAdapterFolder(changed.files / "own", config, changed.factors).string();
    engine::ModelOpener opener;
    const auto base =
        test::value(opener.open({(test::goldenModels() / "llama-grouped").string(), "cpu", "f32"}));
    const auto own = test::value(opener.open({folder, "cpu", "f32"}));
    CHECK(own.model->facts().name == "own");
    CHECK(own.fingerprint != base.fingerprint);
    CHECK(own.tokenizer == base.tokenizer);
    REQUIRE(own.adapters->own());
    CHECK(base.adapters->own() == nullptr);

    const auto uses = own.adapters->chosen({});
    REQUIRE(uses.size() == 1);
    CHECK(uses.front().strength == 1);
    const engine::AdapterChoice half{folder + "/", 0.5};
    CHECK(own.adapters->chosen({{half}}) == engine::AdapterUses{{own.adapters->own(), 0.5}});
    CHECK(base.adapters->chosen({}).empty());
    const auto onBase = base.adapters->chosen({{half}});
    REQUIRE(onBase.size() == 1);
    CHECK(onBase == base.adapters->chosen({{half}}));  // read once
    CHECK(engine::fits(*onBase.front().adapter, *own.model));
    const auto again = test::value(opener.open({folder, "cpu", "f32"}));
    CHECK(again.model == own.model);
    CHECK(again.adapters == own.adapters);
}
