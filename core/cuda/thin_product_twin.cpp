#include "cuda/activation_math.h"
#include "cuda/thin_product.h"

namespace hs::cuda {

void multiplyThinTwin(const ThinProduct& product, int begin, int end)
{
    const std::int64_t weightStep = product.isTransposed ? product.out : 1;
    for (int row = 0; row < product.rows; ++row)
        for (int column = begin; column < end; ++column) {
            const float* const x = product.x + row * product.inputStride;
            const float* const weights =
                product.weight + (product.isTransposed ? column : std::int64_t(column) * product.in);
            float sum = 0;
            for (int i = 0; i < product.in; ++i)
                sum += x[i] * weights[i * weightStep];
            const std::int64_t at = std::int64_t(row) * product.out + column;
            if (product.bias)
                sum += product.bias[column];
            if (product.addend)
                sum += product.addend[at];
            product.y[at] = product.hasGelu ? activated(ActivationKind::GeluTanh, sum).value : sum;
        }
}

}  // namespace hs::cuda
