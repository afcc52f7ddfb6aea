#include "train/measure_tensors.h"

#include "tiny_training.h"
#include "train/parameters_tensors.h"

using namespace hs;

namespace {

/// Text that counts up in rows of some length; on request longer ones, up to 64.
class CountingText : public test::Counting {
public:
    explicit CountingText(int length) : m_length(length) {}

    std::vector<train::HeldOutBatch> heldOut() const override { return {{rows(4, 5, m_length), {}}}; }
    std::vector<train::HeldOutBatch> longerHeldOut(int length) const override
    {
        return length > 64 ? std::vector<train::HeldOutBatch>{}
                           : std::vector<train::HeldOutBatch>{{rows(2, 3, length), {}}};
    }

private:
    int m_length;
};

/// A sparse model with random weights that reads 256 tokens, and the dense one it came from.
struct RandomPair {
    RandomPair()
    {
        Json config = test::tinyConfig();
        config["n_positions"] = 256;
        spec = test::value(model::readArchSpec(config));
        const train::ParameterLayout layout(spec);
        weights = layout.unpack(layout.initial(1) * 20);
        denseWeights = layout.unpack(layout.initial(1) * 21);
    }

    train::MeasuredModel sparse() const { return {spec, weights, 0.0}; }
    train::MeasuredModel dense() const { return {spec, denseWeights, std::nullopt}; }

    model::ArchSpec spec;
    engine::ModelWeights weights;
    engine::ModelWeights denseWeights;
};

}  // namespace

TEST_CASE("density by length is that of rows cut to it, or of longer rows where the data have them")
{
    const RandomPair pair;
    const std::vector<train::LengthMeasure> lengths =
        train::measureByLength(pair.sparse(), pair.dense(), CountingText(20), train::Operations::Plain);
    REQUIRE(lengths.size() == 2);
    CHECK(lengths[0].length == 16);
    CHECK(lengths[1].length == 64);

    const train::MeasuredModel dense = pair.dense();
    const train::HeldOutMeasure cut = train::measureHeldOut(pair.sparse(), &dense, CountingText(16).heldOut(),
                                                            {"counting"}, train::Operations::Plain);
    CHECK(lengths[0].density == Approx(cut.density));
    CHECK(lengths[0].divergence == Approx(cut.divergence));
    CHECK(lengths[0].mostHeadsActive == cut.mostHeadsActive);
    const train::HeldOutMeasure longer = train::measureHeldOut(
        pair.sparse(), &dense, CountingText(20).longerHeldOut(64), {"counting"}, train::Operations::Plain);
    CHECK(lengths[1].density == Approx(longer.density));
    CHECK(lengths[0].density != Approx(lengths[1].density));
}

TEST_CASE("rows with answers are not cut")
{
    const RandomPair pair;
    CHECK(train::measureByLength(pair.sparse(), pair.dense(), test::Counting(), train::Operations::Plain)
              .empty());
}

TEST_CASE("no length is measured that the model cannot read")
{
    RandomPair pair;
    pair.spec.context = 15;
    CHECK(train::measureByLength(pair.sparse(), pair.dense(), CountingText(15), train::Operations::Plain)
              .empty());
}
