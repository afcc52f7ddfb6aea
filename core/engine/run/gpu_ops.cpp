#ifdef HS_WITH_CUDA

#include "cuda/head_preparation.h"
#include "cuda/mlp_activation.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/gpu_ops_tensors.h"

namespace hs::engine {
namespace {

cuda::Precision precisionOf(model::DType type)
{
    switch (type) {
    case model::DType::BF16: return cuda::Precision::Bfloat16;
    case model::DType::F16: return cuda::Precision::Half;
    default: return cuda::Precision::Float;
    }
}

cuda::HeadNorm headNormOf(model::QkNorm norm)
{
    switch (norm) {
    case model::QkNorm::PerHead: return cuda::HeadNorm::PerHead;
    case model::QkNorm::AllHeads: return cuda::HeadNorm::AllHeads;
    case model::QkNorm::None: break;
    }
    return cuda::HeadNorm::None;
}

/// A pointer for an interface in which null means "none".
const void* dataOf(const at::Tensor& tensor)
{
    return tensor.defined() ? tensor.data_ptr() : nullptr;
}

}  // namespace

GpuOps::GpuOps(const Model& model, cuda::Stream stream)
    : m_spec(model.spec()), m_weights(model.weights()), m_precision(precisionOf(model.facts().dtype)),
      m_stream(stream)
{
}

void GpuOps::norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& bias,
                  const at::Tensor& addend, const at::Tensor& y)
{
    cuda::RowNormProblem problem;
    problem.rows = x.size(0);
    problem.width = m_spec.hidden;
    problem.isRms = m_spec.norm == model::NormKind::RmsNorm;
    problem.eps = static_cast<float>(m_spec.normEps);
    problem.precision = m_precision;
    problem.x = x.data_ptr();
    problem.scale = dataOf(scale);
    problem.bias = dataOf(bias);
    problem.addend = dataOf(addend);
    problem.y = y.data_ptr();
    cuda::rowNorm(problem, m_stream);
}

void GpuOps::multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      const at::Tensor& addend, const at::Tensor& y, bool hasGelu)
{
    cuda::LinearShape shape;
    shape.rows = static_cast<int>(x.size(0));
    shape.in = static_cast<int>(weight.size(1));
    shape.out = static_cast<int>(weight.size(0));
    shape.inputStride = x.stride(0);
    shape.isTransposed = weight.stride(0) == 1 && weight.size(1) > 1;
    shape.hasBias = bias.defined();
    shape.hasGelu = hasGelu;
    shape.hasAddend = addend.defined();
    shape.isTf32 = m_isTf32;
    shape.precision = m_precision;
    m_products.run(shape, {x.data_ptr(), weight.data_ptr(), dataOf(bias), dataOf(addend), y.data_ptr()},
                   m_stream);
}

void GpuOps::prepare(int layer, const at::Tensor& qkv, const at::Tensor& cos, const at::Tensor& sin)
{
    cuda::HeadPreparation preparation;
    preparation.length = static_cast<int>(qkv.size(0));
    preparation.heads = m_spec.heads;
    preparation.kvHeads = m_spec.kvHeads;
    preparation.headDim = m_spec.headDim;
    preparation.clip = static_cast<float>(m_spec.clipQkv.value_or(0));
    preparation.rotatedPairs = m_spec.rotaryDims / 2;
    preparation.norm = headNormOf(m_spec.qkNorm);
    preparation.eps = static_cast<float>(m_spec.normEps);
    preparation.precision = m_precision;
    preparation.qkv = qkv.data_ptr();
    preparation.queryScale = dataOf(m_weights.at(layer, model::Role::QueryNormWeight));
    preparation.keyScale = dataOf(m_weights.at(layer, model::Role::KeyNormWeight));
    preparation.cos = static_cast<const float*>(dataOf(cos));
    preparation.sin = static_cast<const float*>(dataOf(sin));
    cuda::prepareHeads(preparation, m_stream);
}

void GpuOps::activate(const at::Tensor& inner)
{
    cuda::activateMlp({inner.size(0), m_spec.intermediate, m_spec.hasGatedMlp,
                       static_cast<cuda::ActivationKind>(m_spec.activation), m_precision, inner.data_ptr()},
                      m_stream);
}

}  // namespace hs::engine

#endif
