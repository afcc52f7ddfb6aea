#include "engine/run/variant_reader_tensors.h"

#include "engine/request/forecast.h"
#include "engine/run/cpu_activation.h"

#include <algorithm>
#include <cmath>

namespace hs::engine {
namespace {

// Tokens whose logits are held at once for the loss, for every row.
constexpr std::int64_t kVocabularyBlock = 2048;

at::Tensor onHost(const at::Tensor& tensor)
{
    return tensor.to(at::kCPU, at::kDouble).contiguous();
}

at::Tensor tokensOf(const VariantRequest& request, at::Device device)
{
    at::Tensor tokens = at::empty({request.versus ? 2 : 1}, at::kLong);
    tokens.data_ptr<std::int64_t>()[0] = request.target;
    if (request.versus)
        tokens.data_ptr<std::int64_t>()[1] = *request.versus;
    return tokens.to(device);
}

/// [row, token] → [row]
at::Tensor logSumOf(const at::Tensor& logits)
{
    if (!logits.device().is_cpu())
        return at::logsumexp(logits, 1);
    const at::Tensor dense = logits.contiguous();
    const at::Tensor result = at::empty({dense.size(0)}, at::kFloat);
    const std::int64_t count = dense.size(1);
    const float* const data = dense.data_ptr<float>();
    float* const sums = result.data_ptr<float>();
    at::parallel_for(0, dense.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const float* const x = data + row * count;
            const float most = *std::max_element(x, x + count);
            sums[row] = most + std::log(sumOfExponentials(x, static_cast<std::size_t>(count), most));
        }
    });
    return result;
}

}  // namespace

VariantReader::VariantReader(const Decoder& decoder, const VariantRequest& request,
                             const at::Tensor& residual)
    : m_decoder(decoder), m_request(request), m_length(residual.size(0)),
      m_position(request.run.capture.position.value_or(static_cast<int>(m_length) - 1)),
      m_tokens(tokensOf(request, residual.device()))
{
    if (request.prediction)
        m_prediction =
            at::log_softmax(m_decoder.logits(residual.narrow(0, m_position, 1))[0], 0, at::kDouble);
    if (request.loss && m_length > 1)
        m_losses = rowLosses(residual, {0, m_length})[0];
    m_baseline = read(residual, {0, m_length}).front();
}

std::vector<VariantReading> VariantReader::read(const at::Tensor& residual, RowRange rows) const
{
    const std::int64_t variants = residual.size(0) / rows.count;
    const at::Tensor ends =
        residual.view({variants, rows.count, residual.size(1)}).select(1, m_position - rows.first);
    std::vector<VariantReading> readings(static_cast<std::size_t>(variants), kUnread);
    if (m_request.prediction)
        readPredictions(ends, readings);
    else
        readLogits(ends, readings);
    if (m_losses.defined())
        readLosses(residual, rows, readings);
    return readings;
}

void VariantReader::readLogits(const at::Tensor& residual, std::vector<VariantReading>& readings) const
{
    const at::Tensor logits = onHost(m_decoder.logitsOf(residual, m_tokens));
    const std::int64_t tokens = logits.size(1);
    for (std::size_t variant = 0; variant < readings.size(); ++variant) {
        const double* const row = logits.data_ptr<double>() + static_cast<std::int64_t>(variant) * tokens;
        readings[variant].logit = row[0];
        readings[variant].logitDifference = row[0] - (tokens > 1 ? row[1] : 0);
    }
}

void VariantReader::readPredictions(const at::Tensor& residual, std::vector<VariantReading>& readings) const
{
    const at::Tensor probabilities = m_prediction.exp();
    const at::Tensor entropy = -(probabilities * m_prediction).sum();
    for (std::int64_t first = 0; first < residual.size(0); first += kLogitChunk) {
        const at::Tensor logits =
            m_decoder.logits(residual.narrow(0, first, std::min(kLogitChunk, residual.size(0) - first)));
        const at::Tensor wide = logits.to(at::kDouble);
        const at::Tensor scale = at::logsumexp(wide, 1);  // log probability = logit - scale
        const at::Tensor divergence = onHost(scale - at::mv(wide, probabilities) - entropy);
        const at::Tensor probability = onHost((wide.select(1, m_request.target) - scale).exp());
        const at::Tensor chosen = onHost(logits.index_select(1, m_tokens));
        for (std::int64_t row = 0; row < logits.size(0); ++row) {
            const double* const logit = chosen.data_ptr<double>() + row * chosen.size(1);
            VariantReading& reading = readings[first + row];
            reading.logit = logit[0];
            reading.logitDifference = logit[0] - (m_request.versus ? logit[1] : 0);
            reading.probability = probability.data_ptr<double>()[row];
            reading.divergence = std::max(0.0, divergence.data_ptr<double>()[row]);
        }
    }
}

void VariantReader::readLosses(const at::Tensor& residual, RowRange rows,
                               std::vector<VariantReading>& readings) const
{
    const double before = m_losses.narrow(0, 0, rows.first).sum().item<double>();
    const at::Tensor losses = rowLosses(residual, rows);  // [variant, row]
    const at::Tensor sums = losses.sum(1);
    for (std::size_t variant = 0; variant < readings.size(); ++variant) {
        readings[variant].loss =
            (before + sums.data_ptr<double>()[variant]) / static_cast<double>(m_length - 1);
        if (!m_request.tokenLosses)
            continue;
        const double* const own =
            losses.data_ptr<double>() + static_cast<std::int64_t>(variant) * losses.size(1);
        std::vector<double>& all = readings[variant].tokenLosses;
        all.assign(m_losses.data_ptr<double>(), m_losses.data_ptr<double>() + rows.first);
        all.insert(all.end(), own, own + losses.size(1));
    }
}

at::Tensor VariantReader::rowLosses(const at::Tensor& residual, RowRange rows) const
{
    const std::int64_t variants = residual.size(0) / rows.count;
    const std::int64_t scored = m_length - 1 - rows.first;  // nothing follows the last position
    if (scored <= 0)
        return at::zeros({variants, 0}, at::kDouble);
    at::Tensor next = at::empty({scored}, at::kLong);
    std::copy(m_request.run.tokens.begin() + rows.first + 1, m_request.run.tokens.end(),
              next.data_ptr<std::int64_t>());
    next = next.to(residual.device());
    const at::Tensor all = residual.view({variants, rows.count, residual.size(1)})
                               .narrow(1, 0, scored)
                               .reshape({variants * scored, residual.size(1)});
    // Row i of each variant is scored on token i.
    std::vector<at::Tensor> chosen;  // [variant, row]
    for (std::int64_t first = 0; first < scored; first += kLogitChunk) {
        const std::int64_t count = std::min(kLogitChunk, scored - first);
        const at::Tensor some = all.view({variants, scored, -1}).narrow(1, first, count).flatten(0, 1);
        chosen.push_back(m_decoder.logitsOf(some, next.narrow(0, first, count))
                             .view({variants, count, count})
                             .diagonal(0, 1, 2));
    }
    return onHost(logSums(all).view({variants, scored}) - at::cat(chosen, 1));
}

/// The logarithm of the sum of all logits' exponentials, a block of the vocabulary at a time: whole rows
/// would go through memory several times.
at::Tensor VariantReader::logSums(const at::Tensor& rows) const
{
    const std::int64_t vocabulary = m_request.run.model->spec().vocabulary;
    std::vector<at::Tensor> blocks;  // [row] each
    for (std::int64_t first = 0; first < vocabulary; first += kVocabularyBlock) {
        const at::Tensor tokens = at::arange(first, std::min(first + kVocabularyBlock, vocabulary),
                                             at::TensorOptions(at::kLong).device(rows.device()));
        blocks.push_back(logSumOf(m_decoder.logitsOf(rows, tokens)));
    }
    return at::logsumexp(at::stack(blocks), 0);
}

}  // namespace hs::engine
