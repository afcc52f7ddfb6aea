#include "features/graph/held_run_tensors.h"

namespace hs::features {
namespace {

at::Tensor centred(const at::Tensor& x)
{
    return x - x.mean(-1, /*keepdim=*/true);
}

at::Tensor firstRows(const at::Tensor& tensor, std::int64_t length)
{
    return tensor.defined() ? tensor.narrow(0, 0, length) : tensor;
}

}  // namespace

at::Tensor HeldNorm::carry(const at::Tensor& change) const
{
    return factor.defined() ? factor * (centres ? centred(change) : change) : change;
}

at::Tensor HeldNorm::carryBack(const at::Tensor& cotangent) const
{
    if (!factor.defined())
        return cotangent;
    return centres ? centred(factor * cotangent) : factor * cotangent;
}

at::Tensor HeldNorm::carryBack(const at::Tensor& rows, const at::Tensor& at) const
{
    if (!factor.defined())
        return rows;
    return HeldNorm{factor.index_select(0, at), {}, centres}.carryBack(rows);
}

HeldNorm HeldNorm::upTo(std::int64_t length) const
{
    return {firstRows(factor, length), bias, centres};
}

at::Tensor HeldLayer::carryThroughHeads(const at::Tensor& change) const
{
    const std::int64_t heads = patterns.size(0);
    const std::int64_t queries = change.size(-2);
    const at::Tensor values = valuesOf(change);  // [..., key/value head, query, head size]
    const std::int64_t groups = values.size(-3);
    const at::Tensor z = at::matmul(patterns.reshape({groups, heads / groups * queries, queries}), values);
    std::vector<std::int64_t> shape = change.sizes().vec();
    shape.back() = outWeight.size(1);
    std::vector<std::int64_t> perHead(shape.begin(), shape.end() - 2);
    perHead.insert(perHead.end(), {heads, queries, values.size(-1)});
    const at::Tensor flat = z.reshape(perHead).transpose(-3, -2).reshape(shape);
    return attentionAfterNorm.carry(at::matmul(flat, outWeight.t()));
}

at::Tensor HeldLayer::carryBackThroughHeads(const at::Tensor& cotangent) const
{
    const std::int64_t count = cotangent.size(0);
    const std::int64_t queries = cotangent.size(1);
    const std::int64_t heads = patterns.size(0);
    const std::int64_t headSize = outWeight.size(1) / heads;
    const std::int64_t groups = valueWeight.size(0) / headSize;
    // One product a head for all cotangents: they lie beside each other.
    const at::Tensor read = at::matmul(attentionAfterNorm.carryBack(cotangent), outWeight)
                                .view({count, queries, heads, headSize})
                                .permute({2, 1, 0, 3})
                                .reshape({heads, queries, count * headSize});
    at::Tensor values = at::bmm(patterns.transpose(1, 2), read)
                            .view({groups, heads / groups, queries, count, headSize})
                            .sum(1)
                            .permute({2, 1, 0, 3})
                            .reshape({count, queries, groups * headSize});
    if (valueMask.defined())
        values = values * valueMask;
    return attentionNorm.carryBack(at::matmul(values, valueWeight));
}

at::Tensor HeldLayer::valuesOf(const at::Tensor& change) const
{
    const std::int64_t headSize = outWeight.size(1) / patterns.size(0);
    at::Tensor values = at::matmul(attentionNorm.carry(change), valueWeight.t());
    if (valueMask.defined())
        values = values * valueMask;
    std::vector<std::int64_t> shape = values.sizes().vec();
    shape.back() = values.size(-1) / headSize;
    shape.push_back(headSize);
    return values.view(shape).transpose(-3, -2);
}

at::Tensor HeldLayer::readByHeads(const at::Tensor& cotangent) const
{
    const std::int64_t heads = patterns.size(0);
    return at::matmul(attentionAfterNorm.carryBack(cotangent), outWeight)
        .view({cotangent.size(0), heads, outWeight.size(1) / heads})
        .transpose(0, 1);
}

at::Tensor HeldLayer::carrySkip(const at::Tensor& change) const
{
    return at::matmul(reading.carry(change), skip.t());
}

at::Tensor HeldLayer::carryBackSkip(const at::Tensor& cotangent) const
{
    return reading.carryBack(at::matmul(cotangent, skip));
}

HeldLayer HeldLayer::upTo(std::int64_t length) const
{
    HeldLayer layer = *this;
    layer.attentionNorm = attentionNorm.upTo(length);
    layer.valueMask = firstRows(valueMask, length);
    layer.patterns = patterns.narrow(1, 0, length).narrow(2, 0, length);
    layer.attentionAfterNorm = attentionAfterNorm.upTo(length);
    layer.attentionConstant = firstRows(attentionConstant, length);
    layer.reading = reading.upTo(length);
    layer.error = firstRows(error, length);
    return layer;
}

}  // namespace hs::features
