#include "control/figures/figure_sources.h"

#include "analyses/written_units.h"
#include "control/document/changed_cells.h"
#include "control/document/shown_heads.h"
#include "control/document/token_label.h"
#include "control/figures/figure_results.h"
#include "control/work/prediction_rows.h"
#include "control/work/set_words.h"
#include "render/pattern_words.h"
#include "render/tile_likeness.h"
#include "render/translate.h"
#include "text/chat.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

constexpr qsizetype kPromptLetters = 120;
constexpr std::size_t kMostNamed = 8;  // ablated heads
constexpr int kNextTokens = 8;

bool isActive(const engine::RunResult& run, HeadId head, double threshold)
{
    const std::uint8_t* const tile = run.tileOf(head);
    const int least = static_cast<int>(std::lround(255 * threshold));
    return std::any_of(tile, tile + run.tileCells(),
                       [&](std::uint8_t weight) { return weight > 0 && weight >= least; });
}

}  // namespace

FigureSources::FigureSources(service::Backend& backend, const FigureRequest& request, const Hooks& hooks)
    : m_backend(backend), m_request(request), m_hooks(hooks)
{
    for (const Side side : kSides) {
        const std::optional<service::SideRequest>& asked = request.sides[indexOf(side)];
        if (!sideSpec(side).isShown || !asked)
            continue;
        if (!asked->hasPrompt())
            fail(ErrorCode::BadRequest, "There is no prompt to draw; type one, or give --text.");
        m_sides.push_back(side);
        m_runs[indexOf(side)] =
            std::make_shared<const SideRun>(orThrow(backend.run(side, *asked, hooks, {})));
    }
    if (m_sides.empty())
        fail(ErrorCode::BadRequest, "The figure shows no model; open one, and show at least one side.");
}

const stats::Metric& FigureSources::metric() const
{
    const std::string name = spec().metric.toStdString();
    if (const stats::Metric* const found = stats::findMetric(name))
        return *found;
    std::string names;
    for (const stats::Metric& metric : stats::allMetrics())
        names += (names.empty() ? "" : ", ") + std::string(metric.name);
    fail(ErrorCode::BadRequest,
         name == analyses::kLogitMetric
             ? "Only a summary draws \"" + name + "\"; choose another figure, or one of " + names + "."
             : "There is no metric \"" + name + "\"; choose one of " + names + ".");
}

engine::Attribution FigureSources::attribution(Side side) const
{
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Attribution;
    request.side = sideRequest(side);
    request.side.view.reset();
    request.side.blocks = {};  // logits are of tokens
    request.side.target = spec().target.toStdString();
    request.side.distractor = spec().versus.toStdString();
    return std::get<engine::Attribution>(orThrow(backend().analyse(request, hooks(), {})));
}

QString FigureSources::targetLabel(Side side) const
{
    QString label = spec().target.trimmed();
    const std::vector<engine::Prediction>& predictions = run(side)->after.predictions;
    const text::Tokenizer* const tokenizer = sideRequest(side).model->tokenizer.get();
    if (label.isEmpty() && !predictions.empty()) {
        const std::int64_t predicted = predictions.front().token;
        label = tokenizer ? tokenLabel(tokenizer->tokenText(predicted)).remove(QChar(0x00b7))
                          : QStringLiteral("#%1").arg(predicted);
    }
    return label;
}

QString FigureSources::title(Side side) const
{
    const QString& own = sideSpec(side).title;
    return own.isEmpty() ? QString::fromStdString(sideRequest(side).model->title) : own;
}

std::vector<HeadId> FigureSources::heads(Side side) const
{
    const engine::RunResult& after = run(side)->after;
    const FigureSide& choice = sideSpec(side);
    GridChoice grid = choice.grid;
    if (spec().preset == FigurePreset::RankedHeads && !choice.result.empty()) {
        grid.form = GridChoice::Form::List;
        grid.list = readRanking(choice.result);
        grid.order.clear();
    }
    std::vector<HeadId> byLikeness;
    if (grid.order == kByLikeness && run(side)->tiles)
        byLikeness = render::headsByLikeness(*run(side)->tiles, /*withoutFirst=*/false);
    std::vector<HeadId> heads = headsShown(grid, after.heads, {after.stats, run(side)->kinds, byLikeness});
    if (choice.hasOnlyActive)
        std::erase_if(heads, [&](HeadId head) { return !isActive(after, head, spec().threshold); });
    return heads;
}

QString FigureSources::targetWords(Side side) const
{
    const QString versus = spec().versus.trimmed();
    const QString target = QStringLiteral("“%1”").arg(targetLabel(side));
    return versus.isEmpty() ? target : tr("%1 minus that of “%2”").arg(target, versus);
}

engine::LayerMap FigureSources::maps(Side side, int layer) const
{
    return orThrow(
        m_backend.maps(sideRequest(side), {side, layer, engine::MapKind::Weights, false}, m_hooks));
}

std::vector<float> FigureSources::cellWeights(Side side, CellId cell) const
{
    return orThrow(m_backend.cellWeights(side, sideRequest(side), cell.query, cell.key, m_hooks));
}

void FigureSources::requireSamePositions() const
{
    const Side first = m_sides.front();
    const Side last = m_sides.back();
    const stats::PatternShape one = run(first)->after.pattern();
    const stats::PatternShape other = run(last)->after.pattern();
    if (one.queries == other.queries && one.keys == other.keys)
        return;
    if (!one.isSquare() || !other.isSquare())
        fail(ErrorCode::BadRequest,
             tr("%1 has %2 and %3 has %4, so that positions of one mean nothing in the other; show one of "
                "them alone.")
                 .arg(title(first), render::patternWords(one), title(last), render::patternWords(other))
                 .toStdString());
    fail(ErrorCode::BadRequest,
         tr("%1 reads this prompt as %2 tokens and %3 as %4, so that positions of one mean nothing in the "
            "other; show one of them alone, or choose another prompt.")
             .arg(title(first))
             .arg(one.queries)
             .arg(title(last))
             .arg(other.queries)
             .toStdString());
}

std::vector<QString> FigureSources::tokenLabels(Axis axis) const
{
    std::vector<QString> labels;
    for (const text::Token& token : tokensOf(*run(m_sides.front()), axis))
        labels.push_back(tokenLabel(token.text).remove(QChar(0x00b7)));
    for (QString& label : labels)
        if (label.isEmpty())
            label = QStringLiteral("␣");
    return labels;
}

QString FigureSources::promptWords() const
{
    const service::SideRequest& request = sideRequest(m_sides.front());
    if (request.model->maps) {
        const QString own = render::patternWords(pattern());
        const QString last = render::patternWords(run(m_sides.back())->after.pattern());
        return own == last ? own : tr("%1 and %2").arg(own, last);
    }
    if (request.view)
        return setWords(*run(m_sides.front()));
    const auto tokens = run(m_sides.front())->textTokens().size();
    QString count = request.generated.empty()
                        ? tr("%1 tokens").arg(tokens)
                        : tr("%1 tokens, %2 of them generated").arg(tokens).arg(request.generated.size());
    if (run(m_sides.front())->hasBlocks())
        count += tr(" in %1 blocks, keys summed, queries averaged").arg(pattern().queries);
    if (!request.tokenIds.empty())
        return count;
    QString prompt = QString::fromStdString(text::promptWords(request.prompt, request.isChat)).simplified();
    if (prompt.size() > kPromptLetters)
        prompt = prompt.left(kPromptLetters - 1) + QStringLiteral("…");
    return tr("“%1”, %2").arg(prompt, count);
}

QString FigureSources::runWords() const
{
    QString words;
    for (const Side side : m_sides) {
        QStringList parts;
        if (const auto& gate = sideRequest(side).gate)
            parts << tr("score gate, bias %1").arg(gate->bias);
        const auto& ablations = sideRequest(side).ablations;
        if (ablations.size() > kMostNamed)
            parts << changeCounts(ablations);
        else
            for (const auto& [head, change] : ablations)
                parts << changeWords(head, change);
        if (!parts.isEmpty())
            words += QStringLiteral(" %1: %2.").arg(title(side), parts.join(QStringLiteral("; ")));
    }
    return words;
}

figures::PanelText FigureSources::panelText(Side side) const
{
    figures::PanelText words;
    const SideRun& own = *run(side);
    for (const text::Token& token : own.tokens)
        words.tokens.push_back(tokenLabel(token.text));
    for (const text::Token& token : own.keyTokens)
        words.keyTokens.push_back(tokenLabel(token.text));
    const std::shared_ptr<const SideRun>& other = run(otherSide(side));
    if (other && other->tokens != own.tokens) {
        const text::TokenMatch match(own.tokens, other->tokens);
        for (int position = 0; position < static_cast<int>(own.tokens.size()); ++position)
            words.matches.push_back(match.of(position));
    }
    words.position = own.placeOf(own.position);
    for (const PredictionRow& row : predictionRows(m_runs, kNextTokens))
        if (const auto& change = row.sides[indexOf(side)])
            words.next.push_back({row.label, *change});
    return words;
}

figures::TilePanel FigureSources::panel(Side side, std::vector<HeadId> heads,
                                        const render::TileFlow& flow) const
{
    figures::TilePanel panel;
    panel.title = title(side);
    panel.result = run(side)->after;
    panel.isGiven = sideRequest(side).model->maps != nullptr;
    panel.heads = std::move(heads);
    panel.flow = flow;
    for (const auto& [head, change] : sideRequest(side).ablations) {
        if (!change.isWhole()) {
            panel.edited.emplace(head, placesOf(change, *run(side)));
            continue;
        }
        panel.ablated.insert(head);
        if (change.isPatched())
            panel.patched.insert(head);
    }
    panel.caption = figures::describeRun(panel);
    panel.text = panelText(side);
    return panel;
}

}  // namespace hs::control
