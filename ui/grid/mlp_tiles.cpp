#include "grid/mlp_tiles.h"

#include "analyses/written_units.h"
#include "control/analyses/analysis_runs.h"
#include "control/document/token_label.h"
#include "control/explorer/explorer.h"
#include "render/translate.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr std::size_t kNamedTokens = 4;

QString signedNumber(double value)
{
    const QString number = QLocale().toString(std::abs(value), 'g', 3);
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

/// The tokens that something pushes most, as text or, without a tokenizer, by number.
QString namesOf(const std::vector<engine::TokenWeight>& tokens, const text::Tokenizer* tokenizer)
{
    QStringList names;
    for (std::size_t index = 0; index < std::min(tokens.size(), kNamedTokens); ++index) {
        const std::int64_t token = tokens[index].token;
        names << (tokenizer ? control::tokenLabel(tokenizer->tokenText(token)) : QString::number(token));
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace

bool showsMlps(const control::Explorer& explorer, Side side)
{
    return explorer.document().look.hasMlps && explorer.state(side).model &&
           explorer.whyNoRun(side).isEmpty();
}

std::map<int, MlpTile> mlpTiles(const control::Explorer& explorer, Side side)
{
    std::map<int, MlpTile> tiles;
    const auto& finding = explorer.analyses().state(service::AnalysisKind::Attribution, side).finding;
    const auto* const attribution =
        finding ? std::get_if<engine::Attribution>(finding->result.get()) : nullptr;
    const auto& run = explorer.state(side).run;
    if (!attribution || !run || finding->request.side.model != run->request.model)
        return tiles;
    const std::map<HeadId, double> written = analyses::writtenByUnits(*attribution);
    const double most = analyses::largestOf(written);
    const text::Tokenizer* const tokenizer = run->request.model->tokenizer.get();
    for (const auto& [unit, value] : written) {
        if (!unit.isMlp())
            continue;
        MlpTile& tile = tiles[unit.layer];
        tile.share = most > 0 ? value / most : 0;
        if (value == 0) {  // ablated: it pushes nothing either
            tile.words = tr("adds nothing to the logit");
            continue;
        }
        tile.words =
            tr("%1 of the logit %2").arg(signedNumber(value), QLocale().toString(attribution->logit, 'g', 3));
        if (const auto layer = static_cast<std::size_t>(unit.layer); layer < attribution->mlps.size())
            tile.words += tr(", pushes %1").arg(namesOf(attribution->mlps[layer].most, tokenizer));
    }
    return tiles;
}

}  // namespace hs::grid
