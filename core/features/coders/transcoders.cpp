#include "features/coders/transcoders_tensors.h"

#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "features/coders/layouts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hs::features {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseNumbers(const MatrixView& view)
{
    fail(ErrorCode::BadFile,
         view.name + " holds values that are not finite numbers; download the transcoders again.");
}

void readRow(const MatrixView& view, std::int64_t first, std::span<float> to)
{
    if (!maps::readExactly(view.array, static_cast<std::size_t>(first), to))
        refuseNumbers(view);
}

/// The numbers of a view. [row, column]
at::Tensor readView(const MatrixView& view)
{
    // Rows in the file, which are columns of a view that lies the other way round; vectors are read at once.
    const bool isTurned = view.columnStride != 1 || (view.columns == 1 && view.rowStride == 1);
    const std::int64_t rows = isTurned ? view.columns : view.rows;
    const std::int64_t columns = isTurned ? view.rows : view.columns;
    const std::int64_t stride = isTurned ? view.columnStride : view.rowStride;
    at::Tensor read = at::empty({rows, columns});
    for (std::int64_t row = 0; row < rows; ++row)
        readRow(view, view.first + row * stride,
                {read.data_ptr<float>() + row * columns, static_cast<std::size_t>(columns)});
    if (view.scale != 1 && !read.mul_(view.scale).isfinite().all().item<bool>())
        refuseNumbers(view);
    return isTurned ? read.t().contiguous() : read;
}

at::Tensor readStack(const Stack& stack)
{
    std::vector<at::Tensor> parts;
    for (const MatrixView& view : stack)
        parts.push_back(readView(view));
    return parts.size() == 1 ? parts.front() : at::cat(parts);
}

/// [row]; undefined where there is none.
at::Tensor readVector(const Stack& stack)
{
    return stack.empty() ? at::Tensor() : readStack(stack).flatten();
}

at::Tensor readThreshold(const CoderPlan& plan, const LayerPlan& layer)
{
    at::Tensor threshold = readVector(layer.threshold);
    if (threshold.defined() && plan.thresholds == ThresholdForm::Logarithm)
        threshold.exp_();
    if (threshold.defined() && plan.thresholds == ThresholdForm::AtLeastZero)
        threshold.clamp_min_(0);
    return threshold;
}

CoderLayer readLayer(const CoderPlan& plan, const LayerPlan& layer)
{
    CoderLayer read;
    read.encoder = readStack(layer.encoder);
    read.encoderBias =
        layer.encoderBias.empty() ? at::zeros({plan.facts.features}) : readVector(layer.encoderBias);
    read.threshold = readThreshold(plan, layer);
    read.shift = readVector(layer.shift);
    read.gain = readVector(layer.gain);
    read.decoderBias = at::zeros({plan.facts.width});
    for (const MatrixView& bias : layer.decoderBias)
        read.decoderBias += readVector({bias});
    if (!layer.skip.empty())
        read.skip = readView(layer.skip.front());
    return read;
}

class MappedDecoders final : public DecoderRows {
public:
    explicit MappedDecoders(CoderPlan plan) : m_plan(std::move(plan)) {}

    at::Tensor rows(int source, int target, std::span<const std::int64_t> features) const override
    {
        const std::int64_t width = m_plan.facts.width;
        at::Tensor gathered = at::zeros({static_cast<std::int64_t>(features.size()), width});
        const std::vector<Stack>& decoders = m_plan.layers.at(static_cast<std::size_t>(source)).decoders;
        if (target < source || static_cast<std::size_t>(target - source) >= decoders.size())
            return gathered;
        const Stack& stack = decoders[static_cast<std::size_t>(target - source)];
        for (const std::size_t index : inOrder(features)) {
            const auto [view, row] = find(stack, features[index]);
            if (!view)
                continue;
            const std::span<float> to(gathered.data_ptr<float>() + static_cast<std::int64_t>(index) * width,
                                      static_cast<std::size_t>(width));
            readRow(*view, view->first + row * view->rowStride, to);
            for (float& value : to)
                value = static_cast<float>(value * view->scale);
        }
        return gathered;
    }

private:
    /// Indices of the features in the order of the file, so that the system reads ahead.
    static std::vector<std::size_t> inOrder(std::span<const std::int64_t> features)
    {
        std::vector<std::size_t> order(features.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t index) { return features[index]; });
        return order;
    }

    static std::pair<const MatrixView*, std::int64_t> find(const Stack& stack, std::int64_t row)
    {
        for (const MatrixView& view : stack) {
            if (row >= 0 && row < view.rows)
                return {&view, row};
            row -= view.rows;
        }
        return {nullptr, 0};
    }

    CoderPlan m_plan;
};

/// Decoders of another set, which it keeps open.
class SharedDecoders final : public DecoderRows {
public:
    explicit SharedDecoders(std::shared_ptr<const Transcoders> owner) : m_owner(std::move(owner)) {}

    at::Tensor rows(int source, int target, std::span<const std::int64_t> features) const override
    {
        return m_owner->weights().decoders->rows(source, target, features);
    }

private:
    std::shared_ptr<const Transcoders> m_owner;
};

void requireRoom(const CoderFacts& facts)
{
    const double bytes = 4.0 * facts.layers * facts.features * facts.width;
    const std::optional<std::uint64_t> available = availableMemory();
    if (available && bytes > static_cast<double>(*available))
        fail(ErrorCode::TooLarge, "The encoders of these transcoders take " +
                                      formatBytes(static_cast<std::uint64_t>(bytes)) + " of memory, and " +
                                      formatBytes(*available) + " are free; use a set with fewer features.");
}

}  // namespace

Transcoders::Transcoders(CoderFacts facts, std::unique_ptr<const CoderWeights> weights)
    : m_facts(std::move(facts)), m_weights(std::move(weights))
{
}

Transcoders::~Transcoders() = default;

Result<std::shared_ptr<const Transcoders>> openTranscoders(const fs::path& folder,
                                                           const model::ArchSpec& spec)
{
    return guarded([&]() -> std::shared_ptr<const Transcoders> {
        CoderPlan plan = planTranscoders(folder, spec);
        requireRoom(plan.facts);
        auto weights = std::make_unique<CoderWeights>();
        for (const LayerPlan& layer : plan.layers)
            weights->layers.push_back(readLayer(plan, layer));
        CoderFacts facts = plan.facts;
        weights->decoders = std::make_unique<MappedDecoders>(std::move(plan));
        return std::make_shared<const Transcoders>(std::move(facts), std::move(weights));
    });
}

std::shared_ptr<const Transcoders> readingAt(std::shared_ptr<const Transcoders> coders, Place place,
                                             bool centresOutput, const std::vector<double>& scales)
{
    CoderFacts facts = coders->facts();
    facts.place = place;
    facts.centresOutput = centresOutput;
    facts.hasScales = true;
    auto weights = std::make_unique<CoderWeights>();
    weights->layers = coders->weights().layers;
    for (std::size_t layer = 0; layer < scales.size(); ++layer) {
        CoderLayer& each = weights->layers.at(layer);
        each.encoder = each.encoder * scales[layer];
        if (each.skip.defined())
            each.skip = each.skip * scales[layer];
    }
    weights->decoders = std::make_unique<SharedDecoders>(std::move(coders));
    return std::make_shared<const Transcoders>(std::move(facts), std::move(weights));
}

std::optional<fs::path> findTranscoders(const std::optional<fs::path>& given, const fs::path& model)
{
    if (given)
        return given;
    std::error_code ignored;
    const fs::path beside = (fs::is_directory(model, ignored) ? model : model.parent_path()) / "transcoders";
    return fs::is_directory(beside, ignored) ? std::optional(beside) : std::nullopt;
}

}  // namespace hs::features
