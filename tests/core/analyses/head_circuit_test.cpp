#include "analyses/head_circuit.h"
#include "engine/load/weights_tensors.h"
#include "support/catch.h"
#include "support/models.h"

#include <complex>
#include <map>

using namespace hs;
using hs::model::Role;

namespace {

// Everything by hand, one token and one head at a time, from the weights as they are. All in double.

at::Tensor wide(const at::Tensor& tensor)
{
    return tensor.defined() ? tensor.to(at::kCPU, at::kDouble) : tensor;
}

class ByHand {
public:
    ByHand(std::shared_ptr<const engine::Model> model, HeadId head)
        : m_spec(model->spec()), m_weights(model->weights()), m_head(head), m_model(std::move(model))
    {
    }

    at::Tensor query(std::int64_t token) const
    {
        return headOf(projected(token), 0, m_head.head, Role::QueryNormWeight);
    }
    at::Tensor key(std::int64_t token) const
    {
        return headOf(projected(token), m_spec.queryWidth(), group(), Role::KeyNormWeight);
    }
    double score(std::int64_t queryToken, std::int64_t keyToken) const
    {
        const model::Rope& rope = m_spec.hasLocalRope(m_head.layer) ? *m_spec.localRope : m_spec.rope;
        const double amplitude = m_spec.rotaryDims > 0 ? rope.amplitude : 1;
        const double product = at::dot(query(queryToken), key(keyToken)).item<double>();
        const double score = product * amplitude * amplitude * m_spec.scoreScale(m_head.layer);
        return m_spec.scoreCap ? *m_spec.scoreCap * std::tanh(score / *m_spec.scoreCap) : score;
    }

    /// What reading a token adds to every logit, their mean taken off. [vocabulary]
    at::Tensor written(std::int64_t token) const
    {
        const std::int64_t size = m_spec.headDim;
        const std::int64_t values = m_spec.queryWidth() + m_spec.kvWidth();
        const at::Tensor value = projected(token).narrow(0, values + group() * size, size);
        at::Tensor stream = at::mv(
            wide(m_weights.at(m_head.layer, Role::OutWeight)).narrow(1, m_head.head * size, size), value);
        if (m_spec.normAfter)
            stream = folded(stream, m_weights.at(m_head.layer, Role::AttentionAfterNormWeight));
        stream = folded(stream, m_weights[Role::FinalNormWeight]);
        const at::Tensor logits = at::mv(wide(m_weights[Role::Unembedding]), stream);
        return logits - logits.mean();
    }

    double copying() const
    {
        std::vector<at::Tensor> rows;
        for (std::int64_t token = 0; token < m_spec.vocabulary; ++token)
            rows.push_back(written(token));
        const at::Tensor eigenvalues = at::linalg_eigvals(at::stack(rows));
        return at::real(eigenvalues).sum().item<double>() / at::abs(eigenvalues).sum().item<double>();
    }

private:
    std::int64_t group() const { return m_head.head / (m_spec.heads / m_spec.kvHeads); }
    bool isCentring() const { return m_spec.norm == model::NormKind::LayerNorm; }

    at::Tensor folded(const at::Tensor& x, const at::Tensor& weight) const
    {
        const at::Tensor centred = isCentring() ? x - x.mean() : x;
        return weight.defined() ? centred * wide(weight) : centred;
    }

    at::Tensor projected(std::int64_t token) const  // [q | k | v]
    {
        at::Tensor x = wide(m_weights[Role::Embedding][token]) * m_spec.embeddingScale;
        if (m_spec.normBefore) {
            const at::Tensor centred = isCentring() ? x - x.mean() : x;
            x = folded(x, m_weights.at(m_head.layer, Role::AttentionNormWeight)) /
                (centred.square().mean() + m_spec.normEps).sqrt();
            if (const at::Tensor bias = wide(m_weights.at(m_head.layer, Role::AttentionNormBias));
                bias.defined())
                x = x + bias;
        }
        at::Tensor all = at::mv(wide(m_weights.at(m_head.layer, Role::QkvWeight)), x);
        if (const at::Tensor bias = wide(m_weights.at(m_head.layer, Role::QkvBias)); bias.defined())
            all = all + bias;
        return m_spec.clipQkv ? all.clamp(-*m_spec.clipQkv, *m_spec.clipQkv) : all;
    }

    at::Tensor headOf(const at::Tensor& all, std::int64_t begin, std::int64_t index, Role norm) const
    {
        const std::int64_t size = m_spec.headDim;
        const std::int64_t width = begin == 0 ? m_spec.queryWidth() : m_spec.kvWidth();
        const auto normed = [&](const at::Tensor& x) {
            return x / (x.square().mean() + m_spec.normEps).sqrt() * wide(m_weights.at(m_head.layer, norm));
        };
        const at::Tensor part = all.narrow(0, begin, width);
        if (m_spec.qkNorm == model::QkNorm::AllHeads)
            return normed(part).narrow(0, index * size, size);
        const at::Tensor own = part.narrow(0, index * size, size);
        return m_spec.qkNorm == model::QkNorm::PerHead ? normed(own) : own;
    }

    const model::ArchSpec& m_spec;
    const engine::ModelWeights& m_weights;
    HeadId m_head;
    std::shared_ptr<const engine::Model> m_model;
};

std::map<std::int64_t, double> byToken(const engine::PromotedTokens& tokens)
{
    std::map<std::int64_t, double> weights;
    for (const engine::TokenWeight& token : tokens.most)
        weights[token.token] = token.weight;
    return weights;
}

}  // namespace

TEST_CASE("what a head writes and looks for by its weights is what the products say, in every architecture")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    const std::shared_ptr<const engine::Model> model = test::openGolden(name);
    const int vocabulary = model->spec().vocabulary;
    for (const HeadId head : {HeadId{0, 1}, HeadId{1, model->spec().heads - 1}}) {
        INFO(toString(head));
        const ByHand byHand(model, head);
        const std::int64_t token = 14;
        const auto written = byToken(test::value(analyses::tokensWritten(*model, head, token, vocabulary)));
        const auto keys = byToken(test::value(analyses::keysPreferred(*model, head, token, vocabulary)));
        REQUIRE(written.size() == static_cast<std::size_t>(vocabulary));
        REQUIRE(keys.size() == static_cast<std::size_t>(vocabulary));
        const at::Tensor expected = byHand.written(token);
        for (std::int64_t other = 0; other < vocabulary; other += 7) {
            CHECK(written.at(other) == Approx(expected[other].item<double>()).epsilon(1e-4).margin(1e-4));
            CHECK(keys.at(other) == Approx(byHand.score(token, other)).epsilon(1e-4).margin(1e-4));
        }
    }
}

TEST_CASE("the copying score is that of the whole map from tokens to logits")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "llama-grouped", "olmo2", "olmo-clip", "gemma2", "qwen2");
    INFO(name);
    const std::shared_ptr<const engine::Model> model = test::openGolden(name);
    const HeadShape shape = model->spec().headShape();
    const std::vector<double> scores = test::value(analyses::copyingScores(*model));
    REQUIRE(scores.size() == static_cast<std::size_t>(shape.total()));
    for (const HeadId head : {HeadId{0, 0}, HeadId{0, 2}, HeadId{1, shape.heads - 1}}) {
        INFO(toString(head));
        const double score = scores[static_cast<std::size_t>(shape.indexOf(head))];
        CHECK(score == Approx(ByHand(model, head).copying()).margin(1e-3));
        CHECK(std::abs(score) <= 1);
        CHECK(test::value(analyses::copyingScore(*model, head)) == score);
    }
}

TEST_CASE("heads and tokens that a model does not have are refused with what to do")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden("gpt2");
    const auto head = analyses::tokensWritten(*model, {0, 6}, 3, 5);
    REQUIRE_FALSE(head);
    CHECK(head.error().message.find("no head L0H6") != std::string::npos);
    const auto token = analyses::keysPreferred(*model, {0, 0}, 61, 5);
    REQUIRE_FALSE(token);
    CHECK(token.error().message.find("from 0 to 60") != std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    CHECK(analyses::copyingScores(*model, {{}, stop.get_token()}).error().code == ErrorCode::Cancelled);
}
