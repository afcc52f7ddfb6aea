#include "train/parameters_tensors.h"

#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"
#include "train/model_writer_tensors.h"

using namespace hs;

namespace {

bool areEqual(const engine::ModelWeights& a, const engine::ModelWeights& b)
{
    const auto same = [](const engine::ModelWeights::Table& left, const engine::ModelWeights::Table& right) {
        for (int role = 0; role < model::kRoleCount; ++role) {
            if (left[role].defined() != right[role].defined())
                return false;
            if (left[role].defined() && !at::equal(left[role], right[role]))
                return false;
        }
        return true;
    };
    if (!same(a.shared, b.shared) || a.layers.size() != b.layers.size())
        return false;
    for (std::size_t layer = 0; layer < a.layers.size(); ++layer)
        if (!same(a.layers[layer], b.layers[layer]))
            return false;
    return true;
}

}  // namespace

TEST_CASE("weights survive being laid out in one vector")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const std::shared_ptr<const engine::Model> model = test::openGolden(name);
        const train::ParameterLayout layout(model->spec());
        CHECK(areEqual(layout.unpack(layout.pack(model->weights())), model->weights()));
        CHECK(train::trainedCount(model->spec(), train::TrainedPart::All) ==
              model::parameterCount(model->spec()));
    }
}

TEST_CASE("a model that is written is read back as it was, whatever its architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const std::shared_ptr<const engine::Model> model = test::openGolden(name);
        const test::TempDir folder;
        const Json config = readJsonFile(test::goldenModels() / name / "config.json");
        model::ArchSpec spec = model->spec();
        spec.gateBias = 0.25;
        train::writeModel(folder.path(), spec, model->weights(), model::DType::F32,
                          {config, test::goldenModels() / name, {}});
        const std::shared_ptr<const engine::Model> again = test::openModel(folder.path());
        CHECK(areEqual(again->weights(), model->weights()));
        CHECK(again->spec().gateBias == 0.25);
        CHECK(again->spec().activation == model->spec().activation);
        CHECK(again->facts().notes.empty());
    }
}

TEST_CASE("a part that is trained stands beside the weights as they were given")
{
    using model::Role;
    const auto part = GENERATE(train::TrainedPart::Layers, train::TrainedPart::Attention);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << ", " << wordOf(part));
        const std::shared_ptr<const engine::Model> model = test::openGolden(name);
        const train::ParameterLayout layout(model->spec(), &model->weights(), part);
        CHECK(areEqual(layout.unpack(layout.start(1)), model->weights()));

        const engine::ModelWeights moved = layout.unpack(layout.start(1) + 1);
        CHECK(at::equal(moved.at(0, Role::OutWeight), model->weights().at(0, Role::OutWeight) + 1));
        CHECK(at::equal(moved[Role::Embedding], model->weights()[Role::Embedding]));
        CHECK(at::equal(moved.at(0, Role::DownWeight), model->weights().at(0, Role::DownWeight)) ==
              (part == train::TrainedPart::Attention));
        CHECK(layout.unpack(layout.start(1).to(at::kBFloat16))[Role::Embedding].scalar_type() ==
              at::kBFloat16);
        CHECK(train::trainedCount(model->spec(), part) <= layout.size());
    }
}

TEST_CASE("matrices decay, norms and biases come after them")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden(test::goldenNames().front());
    const train::ParameterLayout layout(model->spec());
    const engine::ModelWeights weights = layout.unpack(at::arange(layout.size(), at::kFloat));
    const auto isMatrixPart = [&](const at::Tensor& tensor) {
        return tensor.max().item<float>() < static_cast<float>(layout.matrixSize());
    };
    CHECK(isMatrixPart(weights[model::Role::Embedding]));
    CHECK(isMatrixPart(weights.at(0, model::Role::DownWeight)));
    CHECK_FALSE(isMatrixPart(weights[model::Role::FinalNormWeight]));
}

TEST_CASE("starting weights are the same for the same seed alone")
{
    const train::ParameterLayout layout(test::openGolden(test::goldenNames().front())->spec());
    CHECK(at::equal(layout.initial(3), layout.initial(3)));
    CHECK_FALSE(at::equal(layout.initial(3), layout.initial(4)));
}
