#include "features/coders/coder_plan.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"

namespace hs::features {
namespace {

[[noreturn]] void refusePlan(const CoderPlan& plan, const std::string& sentence)
{
    fail(ErrorCode::BadFile, "The transcoders in " + quotedName(plan.facts.name) + " " + sentence + ".");
}

/// Whether the last element lies in the array; nothing overflows, as no extent exceeds the array's elements.
bool isInside(const MatrixView& view)
{
    const auto elements = static_cast<std::int64_t>(view.array.elements());
    std::int64_t rowEnd = 0, columnEnd = 0, end = 0;
    return isFloat(view.array.type) && view.first >= 0 && view.rows > 0 && view.columns > 0 &&
           view.rowStride >= 0 && view.columnStride >= 0 && (view.rowStride == 1 || view.columnStride == 1) &&
           !__builtin_mul_overflow(view.rows - 1, view.rowStride, &rowEnd) &&
           !__builtin_mul_overflow(view.columns - 1, view.columnStride, &columnEnd) &&
           !__builtin_add_overflow(rowEnd, columnEnd, &end) &&
           !__builtin_add_overflow(end, view.first, &end) && end < elements;
}

class PlanCheck {
public:
    explicit PlanCheck(const CoderPlan& plan) : m_plan(plan) {}

    void layer(const LayerPlan& layer, bool isLast) const
    {
        const std::int64_t features = m_plan.facts.features;
        const std::int64_t width = m_plan.facts.width;
        stack(layer.encoder, features, width, true);
        stack(layer.encoderBias, features, 1, false);
        stack(layer.threshold, features, 1, m_plan.facts.firing == Firing::JumpRelu);
        stack(layer.shift, features, 1, false);
        stack(layer.gain, features, 1, false);
        for (const MatrixView& bias : layer.decoderBias)
            stack({bias}, width, 1, true);
        for (const MatrixView& skip : layer.skip)
            stack({skip}, width, width, true);
        if (layer.decoders.empty() || (isLast && layer.decoders.size() > 1))
            refusePlan(m_plan, "do not say what they write; download them again");
        for (const Stack& decoder : layer.decoders) {
            stack(decoder, features, width, false);
            for (const MatrixView& view : decoder)
                if (view.columnStride != 1)
                    refusePlan(m_plan, "have decoders in columns, which is not read; save " + view.name +
                                           " transposed");
        }
    }

private:
    void stack(const Stack& views, std::int64_t rows, std::int64_t columns, bool isNeeded) const
    {
        std::int64_t sum = 0;
        for (const MatrixView& view : views) {
            if (!isInside(view) || view.columns != columns)
                refusePlan(m_plan, "do not fit the model: " + view.name + " is of shape " +
                                       formatShape(view.array.shape) + "; give those that were made for it");
            sum += view.rows;
        }
        if ((isNeeded || !views.empty()) && sum != rows)
            refusePlan(m_plan, "do not fit together: " +
                                   (views.empty() ? std::string("a tensor") : views.front().name) + " has " +
                                   formatCount(sum) + " rows instead of " + formatCount(rows) +
                                   "; download them again");
    }

    const CoderPlan& m_plan;
};

}  // namespace

void requireSound(const CoderPlan& plan, const model::ArchSpec& spec)
{
    const CoderFacts& facts = plan.facts;
    if (facts.layers != spec.layers || static_cast<int>(plan.layers.size()) != spec.layers)
        refusePlan(plan, "are for " + formatCount(facts.layers) + " layers and the model has " +
                             formatCount(spec.layers) + "; give those that were made for it");
    if (facts.width != spec.hidden)
        refusePlan(plan, "are for a stream of width " + formatCount(facts.width) + " and the model's is " +
                             formatCount(spec.hidden) + "; give those that were made for it");
    const bool hasK = facts.firing == Firing::TopK || facts.firing == Firing::ReluTopK;
    if (facts.features <= 0 || (hasK && (facts.k <= 0 || facts.k > facts.features)))
        refusePlan(plan, "keep the " + formatCount(facts.k) + " largest of " + formatCount(facts.features) +
                             " features, which cannot be; correct \"k\" in their settings");
    const PlanCheck check(plan);
    for (std::size_t layer = 0; layer < plan.layers.size(); ++layer) {
        if (plan.layers[layer].decoders.size() > plan.layers.size() - layer)
            refusePlan(plan, "write into layers that the model lacks; give those that were made for it");
        check.layer(plan.layers[layer], layer + 1 == plan.layers.size());
    }
}

}  // namespace hs::features
