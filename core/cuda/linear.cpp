#include "cuda/linear.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace hs::cuda {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;
constexpr int kCandidates = 24;
constexpr int kTrials = 5;

void check(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string("cuBLAS: ") + cublasLtGetStatusString(status));
}

void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
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

/// A description of cuBLAS's, destroyed with its owner.
template <class Handle, cublasStatus_t (*kDestroy)(Handle)>
class Owned {
public:
    Owned() = default;
    ~Owned() { kDestroy(handle); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    Handle handle = nullptr;
};

/// A product as cuBLAS sees it, with columns where we have rows: y^T = W x^T.
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

/// Milliseconds between two moments of a stream.
class Stopwatch {
public:
    Stopwatch()
    {
        check(cudaEventCreate(&m_start));
        check(cudaEventCreate(&m_stop));
    }
    ~Stopwatch()
    {
        cudaEventDestroy(m_start);
        cudaEventDestroy(m_stop);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start(Stream stream) { check(cudaEventRecord(m_start, stream)); }
    float stop(Stream stream)
    {
        check(cudaEventRecord(m_stop, stream));
        check(cudaEventSynchronize(m_stop));
        float elapsed = 0;
        check(cudaEventElapsedTime(&elapsed, m_start, m_stop));
        return elapsed;
    }

private:
    cudaEvent_t m_start = nullptr;
    cudaEvent_t m_stop = nullptr;
};

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

    std::vector<cublasLtMatmulAlgo_t> candidates(const Product& product, int most) const
    {
        cublasLtMatmulPreference_t preference = nullptr;
        check(cublasLtMatmulPreferenceCreate(&preference));
        const std::size_t bytes = kWorkspaceBytes;
        cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                             sizeof(bytes));
        std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(most));
        int count = 0;
        const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
            library.handle, product.description.handle, product.weight.handle, product.input.handle,
            product.output.handle, product.output.handle, preference, most, found.data(), &count);
        cublasLtMatmulPreferenceDestroy(preference);
        check(status);
        std::vector<cublasLtMatmulAlgo_t> algorithms;
        for (int index = 0; index < count; ++index)
            if (found[static_cast<std::size_t>(index)].state == CUBLAS_STATUS_SUCCESS)
                algorithms.push_back(found[static_cast<std::size_t>(index)].algo);
        if (algorithms.empty())
            throw std::runtime_error("cuBLAS knows no algorithm for this product");
        return algorithms;
    }

    auto& productOf(const LinearShape& shape)
    {
        auto& entry = products[shape];
        if (!entry.first) {
            auto product = std::make_unique<Product>(shape);
            entry.second = candidates(*product, 1).front();
            entry.first = std::move(product);
        }
        return entry;
    }

    cublasStatus_t multiply(Product& product, const cublasLtMatmulAlgo_t& algorithm, const LinearShape& shape,
                            const LinearOperands& operands, Stream stream) const
    {
        if (shape.hasBias)
            product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias);
        const float one = 1;
        const float share = shape.hasAddend ? 1.0f : 0.0f;
        return cublasLtMatmul(library.handle, product.description.handle, &one, operands.weight,
                              product.weight.handle, operands.x, product.input.handle, &share,
                              shape.hasAddend ? operands.addend : operands.y, product.output.handle,
                              operands.y, product.output.handle, &algorithm, workspace, kWorkspaceBytes,
                              stream);
    }
};

LinearProducts::LinearProducts() : m_state(std::make_unique<State>()) {}
LinearProducts::~LinearProducts() = default;

std::size_t LinearProducts::workspaceBytes() const
{
    return kWorkspaceBytes;
}

void LinearProducts::run(const LinearShape& shape, const LinearOperands& operands, Stream stream)
{
    auto& [product, algorithm] = m_state->productOf(shape);
    check(m_state->multiply(*product, algorithm, shape, operands, stream));
}

void LinearProducts::tune(const LinearShape& shape, const LinearOperands& operands, Stream stream)
{
    auto& [product, best] = m_state->productOf(shape);
    Stopwatch watch;
    float shortest = std::numeric_limits<float>::infinity();
    for (const cublasLtMatmulAlgo_t& algorithm : m_state->candidates(*product, kCandidates)) {
        if (m_state->multiply(*product, algorithm, shape, operands, stream) != CUBLAS_STATUS_SUCCESS)
            continue;
        watch.start(stream);
        for (int trial = 0; trial < kTrials; ++trial)
            check(m_state->multiply(*product, algorithm, shape, operands, stream));
        const float elapsed = watch.stop(stream);
        if (elapsed < shortest) {
            shortest = elapsed;
            best = algorithm;
        }
    }
}

}  // namespace hs::cuda
