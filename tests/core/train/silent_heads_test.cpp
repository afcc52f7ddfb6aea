#include "train/silent_heads_tensors.h"

#include "engine/run/engine.h"
#include "tiny_training.h"
#include "train/model_writer_tensors.h"
#include "train/parameters_tensors.h"

#include <map>
#include <set>

using namespace hs;

namespace {

/// The heads of a gated model that have an open cell on a text.
std::set<HeadId> headsOpen(const std::shared_ptr<const engine::Model>& model,
                           const std::vector<std::int64_t>& tokens)
{
    engine::RunRequest request;
    request.model = model;
    request.tokens = tokens;
    request.gate = engine::ScoreGate{0};
    const engine::RunResult result = test::value(engine::Engine().run(request));
    std::set<HeadId> open;
    const HeadShape shape = model->spec().headShape();
    for (int index = 0; index < shape.total(); ++index)
        if (result.stats.at(static_cast<std::size_t>(index)).density > 0)
            open.insert(shape.at(index));
    return open;
}

}  // namespace

TEST_CASE("a head without queries has no open cell, whatever its architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const std::shared_ptr<const engine::Model> model = test::openGolden(name);
        const model::ArchSpec& spec = model->spec();
        const train::ParameterLayout layout(spec);
        const at::Tensor vector = layout.pack(model->weights());
        CHECK(train::silentHeads(spec, layout, vector).empty());
        const std::vector<HeadId> heads = {{0, spec.heads - 1}, {spec.layers - 1, 0}};
        train::silence(layout, vector, heads);
        CHECK(train::silentHeads(spec, layout, vector) == heads);
        const test::TempDir folder;
        train::writeModel(
            folder.path(), spec, layout.unpack(vector), model::DType::F32,
            {readJsonFile(test::goldenModels() / name / "config.json"), test::goldenModels() / name, {}});
        const std::set<HeadId> open = headsOpen(test::openModel(folder.path()), {1, 2, 3, 4, 5});
        CHECK_FALSE(open.empty());
        for (const HeadId head : heads)
            CHECK_FALSE(open.contains(head));
    }
}

TEST_CASE("the heads that are silenced are those without which the loss is least, tried anew after a few")
{
    const Json config = {{"model_type", "gpt2"}, {"n_layer", 2},     {"n_head", 4},
                         {"n_embd", 16},         {"n_positions", 8}, {"vocab_size", 12}};
    const model::ArchSpec spec = test::value(model::readArchSpec(config));
    const train::ParameterLayout layout(spec);
    const at::Tensor vector = layout.initial(3);
    // L0H1 and L1H2 do the same: one of them may go, not both.
    const std::map<HeadId, double> uses = {{{0, 0}, 5}, {{0, 1}, 9}, {{0, 2}, 1}, {{0, 3}, 6},
                                           {{1, 0}, 2}, {{1, 1}, 7}, {{1, 2}, 9}, {{1, 3}, 8}};
    const auto loss = [&] {
        const std::vector<HeadId> silent = train::silentHeads(spec, layout, vector);
        const std::set<HeadId> gone(silent.begin(), silent.end());
        double sum = 0;
        for (const HeadId head : gone)
            if (head != HeadId{0, 1} && head != HeadId{1, 2})
                sum += uses.at(head);
        return gone.contains({0, 1}) && gone.contains({1, 2}) ? sum + 9 : sum;
    };
    train::silenceLeastMissed(spec, layout, vector, 3, loss, {});
    CHECK(train::silentHeads(spec, layout, vector) == std::vector<HeadId>{{0, 1}, {0, 2}, {1, 0}});
}

TEST_CASE("heads that are silenced stay silent while a model is made sparse")
{
    const test::TempDir dense;
    const test::TempDir out;
    train::Job job = test::sparseJob(test::trained(dense.path()), out.path());
    job.options.sparsity->silentHeads = 2;
    const train::Outcome outcome = test::value(train::train(job, {}, {}));
    CHECK(outcome.measure.headsEverActive <= 2);
    const std::shared_ptr<const engine::Model> sparse = test::openModel(out.path());
    const train::ParameterLayout layout(sparse->spec());
    CHECK(train::silentHeads(sparse->spec(), layout, layout.pack(sparse->weights())).size() == 2);
    CHECK(headsOpen(sparse, {1, 2, 3, 4, 5}).size() <= 2);
}

TEST_CASE("a head at least is left, and an adapter leaves all of them")
{
    const test::TempDir dense;
    const test::TempDir out;
    train::Job job = test::sparseJob(test::trained(dense.path()), out.path());
    job.options.sparsity->silentHeads = 4;
    CHECK(train::train(job, {}, {}).error().message.find("lower --silence") != std::string::npos);
    job.options.sparsity->silentHeads = 1;
    job.economy.adapter.emplace();
    CHECK(train::train(job, {}, {}).error().message.find("leave out --silence") != std::string::npos);
}
