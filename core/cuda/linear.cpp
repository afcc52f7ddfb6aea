#include "cuda/linear.h"

#include "cuda/check.h"
#include "cuda/thin_product.h"

#include <cublasLt.h>

#include <map>

namespace hs::cuda {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

void check(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string("cuBLAS: ") + cublasLtGetStatusString(status));
}

cudaDataType_t dataType(Precision precision)
{
    switch (precision) {
    case Precision::Float: return CUDA_R_32F;
    case Precision::Bfloat16: return CUDA_R_16BF;
    case Precision::Half: break;
    }
    return CUDA_R_16F;
}

/// A cuBLAS handle, destroyed with its owner.
template <class Handle, cublasStatus_t (*kDestroy)(Handle)>
class Owned {
public:
    Owned() = default;
    ~Owned() { kDestroy(handle); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    Handle handle = nullptr;
};

/// A product as cuBLAS sees it, with columns instead of rows: y^T = W x^T.
struct Product {
    Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> description;
    Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> weight;
    Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> input;
    Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> output;

    explicit Product(const LinearShape& shape)
    {
        const cudaDataType_t type = dataType(shape.precision);
        const bool roundsFactors = shape.isTf32 && shape.precision == Precision::Float;
        check(cublasLtMatmulDescCreate(&description.handle,
                                       roundsFactors ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                                       CUDA_R_32F));
        const cublasOperation_t operation = shape.isTransposed ? CUBLAS_OP_N : CUBLAS_OP_T;
        set(CUBLASLT_MATMUL_DESC_TRANSA, operation);
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue(shape));
        const auto in = static_cast<std::uint64_t>(shape.in);
        const auto out = static_cast<std::uint64_t>(shape.out);
        const auto rows = static_cast<std::uint64_t>(shape.rows);
        check(cublasLtMatrixLayoutCreate(&weight.handle, type, shape.isTransposed ? out : in,
                                         shape.isTransposed ? in : out,
                                         shape.isTransposed ? shape.out : shape.in));
        check(cublasLtMatrixLayoutCreate(&input.handle, type, in, rows, shape.inputStride));
        check(cublasLtMatrixLayoutCreate(&output.handle, type, out, rows, shape.out));
    }

    template <class Value>
    void set(cublasLtMatmulDescAttributes_t attribute, const Value& value)
    {
        check(cublasLtMatmulDescSetAttribute(description.handle, attribute, &value, sizeof(value)));
    }

private:
    static cublasLtEpilogue_t epilogue(const LinearShape& shape)
    {
        if (shape.hasGelu)
            return shape.hasBias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
        return shape.hasBias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    }
};

/// The same product for the kernel of thin_product.h.
ThinProduct thinProduct(const LinearShape& shape, const LinearOperands& operands)
{
    ThinProduct thin;
    thin.rows = shape.rows;
    thin.in = shape.in;
    thin.out = shape.out;
    thin.inputStride = shape.inputStride;
    thin.isTransposed = shape.isTransposed;
    thin.hasGelu = shape.hasGelu;
    thin.x = static_cast<const float*>(operands.x);
    thin.weight = static_cast<const float*>(operands.weight);
    thin.bias = shape.hasBias ? static_cast<const float*>(operands.bias) : nullptr;
    thin.addend = shape.hasAddend ? static_cast<const float*>(operands.addend) : nullptr;
    thin.y = static_cast<float*>(operands.y);
    return thin;
}

}  // namespace

struct LinearProducts::State {
    Owned<cublasLtHandle_t, cublasLtDestroy> library;
    void* workspace = nullptr;
    std::map<LinearShape, std::pair<std::unique_ptr<Product>, cublasLtMatmulAlgo_t>> products;

    State()
    {
        check(cublasLtCreate(&library.handle));
        check(cudaMalloc(&workspace, kWorkspaceBytes));
    }
    ~State() { cudaFree(workspace); }

    cublasLtMatmulAlgo_t choose(const Product& product) const
    {
        Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference;
        check(cublasLtMatmulPreferenceCreate(&preference.handle));
        check(cublasLtMatmulPreferenceSetAttribute(preference.handle,
                                                   CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                                   sizeof(kWorkspaceBytes)));
        cublasLtMatmulHeuristicResult_t choice = {};
        int count = 0;
        check(cublasLtMatmulAlgoGetHeuristic(
            library.handle, product.description.handle, product.weight.handle, product.input.handle,
            product.output.handle, product.output.handle, preference.handle, 1, &choice, &count));
        if (count == 0)
            throw std::runtime_error("cuBLAS: there is no algorithm for this product");
        return choice.algo;
    }
};

LinearProducts::LinearProducts() : m_state(std::make_unique<State>()) {}
LinearProducts::~LinearProducts() = default;

void LinearProducts::run(const LinearShape& shape, const LinearOperands& operands, Stream stream)
{
    if (shape.precision == Precision::Float && !shape.isTf32) {
        const ThinProduct thin = thinProduct(shape, operands);
        if (isThin(thin)) {
            multiplyThin(thin, stream);
            return;
        }
    }
    auto& [product, algorithm] = m_state->products[shape];
    if (!product) {
        auto created = std::make_unique<Product>(shape);
        algorithm = m_state->choose(*created);
        product = std::move(created);
    }
    if (shape.hasBias)
        product->set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias);
    const float one = 1;
    const float share = shape.hasAddend ? 1.0f : 0.0f;
    check(cublasLtMatmul(m_state->library.handle, product->description.handle, &one, operands.weight,
                         product->weight.handle, operands.x, product->input.handle, &share,
                         shape.hasAddend ? operands.addend : operands.y, product->output.handle, operands.y,
                         product->output.handle, &algorithm, m_state->workspace, kWorkspaceBytes, stream));
}

}  // namespace hs::cuda
