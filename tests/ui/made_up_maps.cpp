#include "ui/made_up_maps.h"

#include <QRegularExpression>

#include <cmath>

namespace hs::test {
namespace {

std::vector<std::string> numbered(const char* letter, int count)
{
    std::vector<std::string> texts;
    for (int index = 0; index < count; ++index)
        texts.push_back(letter + std::to_string(index));
    return texts;
}

/// Weights of which each row sums to 1, different in every head. [head, query, key]
maps::Array madeUpLayer(int layer, int heads, const stats::PatternShape& pattern)
{
    auto weights = std::make_shared<std::vector<float>>();
    for (int head = 0; head < heads; ++head)
        for (int query = 0; query < pattern.queries; ++query) {
            std::vector<float> row(static_cast<std::size_t>(pattern.keys), 0.0f);
            float sum = 0;
            for (int key = 0; key < pattern.keysOf(query); ++key)
                sum += row[static_cast<std::size_t>(key)] =
                    static_cast<float>(std::exp(3 * std::sin(1 + 7 * layer + 3 * head + query + 2 * key)));
            for (float& weight : row)
                weight /= sum;
            weights->insert(weights->end(), row.begin(), row.end());
        }
    return {maps::ElementType::Float32,
            sizeof(float),
            {heads, pattern.queries, pattern.keys},
            std::as_bytes(std::span(*weights)),
            weights};
}

}  // namespace

std::shared_ptr<const service::OpenModel> madeUpMaps(const service::OpenRequest& request)
{
    static const QRegularExpression form(
        QStringLiteral("^maps:(\\d+)x(\\d+):(\\d+)x(\\d+)([^#]*)(?:#(.*))?$"));
    const QRegularExpressionMatch match = form.match(QString::fromStdString(request.source));
    if (!match.hasMatch())
        return nullptr;
    const auto number = [&](int index) { return match.captured(index).toInt(); };
    const auto has = [&](const char* word) { return match.captured(5).contains(QLatin1String(word)); };
    maps::Block::Facts facts;
    facts.name = match.captured(6).toStdString();
    facts.heads = {number(1), number(2), number(2)};
    if (has("+ragged")) {
        facts.heads.headsIn.assign(static_cast<std::size_t>(number(1)), number(2) - 1);
        facts.heads.headsIn.front() = facts.heads.headsIn.back() = number(2);
    }
    facts.pattern = {number(3), number(4), has("+causal")};
    facts.queryTokens = numbered(facts.pattern.isSquare() ? "t" : "q", facts.pattern.queries);
    if (!facts.pattern.isSquare())
        facts.keyTokens = numbered("k", facts.pattern.keys);
    if (has("+batch"))
        facts.item = 1, facts.items = 3;
    if (has("+patches")) {
        const int side = static_cast<int>(std::lround(std::sqrt(facts.pattern.keys - 1)));
        facts.keyPatches = maps::PatchGrid{side, side, 1};
        facts.picture = {8, 8, std::vector<std::uint8_t>(8 * 8 * 3, 90)};
    }
    std::vector<maps::Array> layers;
    for (int layer = 0; layer < facts.heads.layers; ++layer)
        layers.push_back(madeUpLayer(layer, facts.heads.headsOf(layer), facts.pattern));
    auto model = std::make_shared<service::OpenModel>();
    model->request = request;
    model->title = request.source.substr(5);
    model->heads = facts.heads;
    model->folder = model->fingerprint = request.source;
    const std::string file = request.source.substr(0, request.source.find('#'));
    model->blocks = {{"", file}};
    if (!facts.name.empty())
        model->blocks = {
            {"encoder", file + "#encoder"}, {"decoder", file + "#decoder"}, {"cross", file + "#cross"}};
    model->maps = std::make_shared<const maps::Block>(std::move(facts), std::move(layers));
    return model;
}

}  // namespace hs::test
