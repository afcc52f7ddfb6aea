#include "panels/analyses/attribution/attribution_panel.h"

#include "panels/analyses/attribution/attribution_tables.h"
#include "panels/analyses/attribution/carrying_list.h"
#include "panels/analyses/bar_links.h"
#include "panels/analyses/effect_curves.h"
#include "panels/analyses/head_bars.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/target_fields.h"
#include "panels/widgets/turning_box.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kLast = -1;  // the position if none is chosen

}  // namespace

AttributionPanel::AttributionPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Attribution, parent), m_bars(new HeadBars),
      m_curves(new EffectCurves), m_list(new CarryingList),
      m_sums(newQuietLabel(this, QStringLiteral("attributionSums")))
{
    setObjectName(QStringLiteral("attributionPanel"));
    addFields();
    setContent(newContent(), tr("Type a prompt to see where the next token's logit comes from."));
    addPlot(*m_bars, tr("contributions"));
    addPlot(*m_curves, tr("cumulative shares"));
    connectParts();
    refresh();
}

AttributionPanel::~AttributionPanel()
{
    // A box that is destroyed loses the focus first, and would commit a half-typed value.
    m_position->disconnect(this);
    m_share->disconnect(this);
}

void AttributionPanel::addFields()
{
    addControl(new TargetFields(explorer(), this));
    m_position = new QSpinBox(this);
    m_position->setObjectName(QStringLiteral("attributionPosition"));
    m_position->setAccessibleName(tr("Position at which the logit is read"));
    m_position->setSpecialValueText(tr("last"));
    m_position->setRange(kLast, kLast);
    m_position->setKeyboardTracking(false);
    addField(tr("at &position"), m_position);
    m_share = new QSpinBox(this);
    m_share->setObjectName(QStringLiteral("attributionShare"));
    m_share->setAccessibleName(tr("Share that the smallest set of heads makes"));
    m_share->setRange(1, 100);
    m_share->setSingleStep(5);
    m_share->setSuffix(tr(" %"));
    m_share->setKeyboardTracking(false);
    addField(tr("&share"), m_share);
    m_units = new QComboBox(this);
    m_units->setObjectName(QStringLiteral("attributionUnits"));
    m_units->setAccessibleName(tr("What the curves count"));
    m_units->addItems({tr("heads"), tr("edges")});
    addField(tr("&count"), m_units);
}

QWidget* AttributionPanel::newContent()
{
    m_bars->setObjectName(QStringLiteral("attributionBars"));
    m_curves->setObjectName(QStringLiteral("attributionCurves"));
    auto* const parts = new TurningBox(12);
    parts->addPart(m_bars, 5);
    parts->addPart(m_curves, 4);
    parts->addPart(m_list, 4);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(parts, 1);
    column->addWidget(m_sums);
    return content;
}

void AttributionPanel::connectParts()
{
    linkBars(*m_bars, explorer());
    connect(m_position, &QSpinBox::valueChanged, this, [this](int value) {
        if (!m_isShowing)
            explorer().edit(
                tr("Change position"),
                [value](control::Document& document) {
                    document.position = value == kLast ? std::nullopt : std::optional(value);
                },
                QStringLiteral("attribution-position"));
    });
    connect(m_share, &QSpinBox::valueChanged, this, [this](int value) {
        if (!m_isShowing)
            explorer().edit(
                tr("Change share"),
                [value](control::Document& document) { document.analyses.share = value / 100.0; },
                QStringLiteral("attribution-share"));
    });
    connect(m_units, &QComboBox::currentIndexChanged, this, [this] { showResult(); });
    connect(m_curves, &EffectCurves::countPicked, this, &AttributionPanel::pickCount);
    connect(m_list, &CarryingList::headPicked, this,
            [this](Side side, HeadId head) { pickHeads(explorer(), side, {head}); });
    connect(m_list, &CarryingList::cellPicked, this, [this](Side side, HeadId head, CellId cell) {
        pickHeads(explorer(), side, {head});
        pinTokens(explorer(), side, cell);
    });
}

bool AttributionPanel::isOfEdges() const
{
    return m_units->currentIndex() == 1;
}

void AttributionPanel::showDocument()
{
    m_isShowing = true;
    const control::Document& document = explorer().document();
    const QStringList tokens = textLabels(explorer(), explorer().tokenSide());
    const int last = static_cast<int>(tokens.size()) - 1;
    m_position->setRange(kLast, std::max(last, document.position.value_or(kLast)));
    m_position->setValue(document.position.value_or(kLast));
    const QString token = tokens.value(document.position.value_or(last));
    m_position->setToolTip(token.isEmpty() ? QString() : tr("after “%1”").arg(token));
    m_share->setValue(static_cast<int>(std::lround(100 * document.analyses.share)));
    m_isShowing = false;
}

AttributionPanel::Shown AttributionPanel::wanted() const
{
    Shown shown;
    for (const Side side : kSides) {
        if (const auto& finding = state(side).finding)
            shown.results[indexOf(side)] = finding->result;
        shown.titles[indexOf(side)] = sideTitle(explorer(), side);
    }
    shown.share = explorer().document().analyses.share;
    shown.isOfEdges = isOfEdges();
    return shown;
}

void AttributionPanel::showResult()
{
    const bool isDimmed = state(Side::Left).isOutdated || state(Side::Right).isOutdated;
    m_bars->setDimmed(isDimmed);
    m_curves->setDimmed(isDimmed);
    m_list->setEnabled(!isDimmed);
    const Shown now = wanted();
    if (m_shown == now)
        return;
    for (const Side side : kSides)
        if (!m_shown || m_shown->results[indexOf(side)] != now.results[indexOf(side)])
            m_tokens[indexOf(side)] = textLabels(explorer(), side);
    m_shown = now;
    showBars();
    showCurves();
    showList();
    showSums();
}

void AttributionPanel::showBars()
{
    std::array<RankedBars, 2> bars;
    for (const Side side : kSides)
        if (const engine::Attribution* const found = attribution(side)) {
            const int carrying = headMass(*found, m_shown->share).smallest;
            bars[indexOf(side)] = {m_shown->titles[indexOf(side)],
                                   contributionBars(*found, carrying, m_tokens[indexOf(side)])};
        }
    m_bars->setBars(std::move(bars), tr("adds to the logit"));
}

void AttributionPanel::showCurves()
{
    std::array<figures::EffectCurve, 2> curves;
    std::array<int, 2> smallest = {};
    for (const Side side : kSides)
        if (const engine::Attribution* const found = attribution(side)) {
            const MassCurve mass =
                isOfEdges() ? edgeMass(*found, m_shown->share) : headMass(*found, m_shown->share);
            curves[indexOf(side)] = shareCurve(m_shown->titles[indexOf(side)], mass);
            smallest[indexOf(side)] = mass.smallest;
        }
    const QString units = m_units->currentText();
    m_curves->setCurves(curves, m_shown->share,
                        {units, tr("share of what heads add"), factorWords(smallest[0], smallest[1], units)});
}

void AttributionPanel::showList()
{
    std::array<CarryingSide, 2> sides;
    for (const Side side : kSides)
        if (const engine::Attribution* const found = attribution(side)) {
            CarryingSide& carrying = sides[indexOf(side)];
            carrying.heads = carryingHeads(*found, m_shown->share);
            const auto count = carrying.heads.size();
            carrying.title = tr("%1: %2").arg(m_shown->titles[indexOf(side)],
                                              count == 1 ? tr("1 head") : tr("%1 heads").arg(count));
            carrying.tokens = m_tokens[indexOf(side)];
            carrying.position = found->position;
        }
    m_list->setSides(sides);
}

QString AttributionPanel::sums(Side side) const
{
    const engine::Attribution* const found = attribution(side);
    if (!found)
        return {};
    const PartSums parts = partSums(*found);
    const bool isDifference = !state(side).finding->request.side.distractor.empty();
    const QString sum =
        tr("%1: embedding %2 + heads %3 + MLPs %4 + biases %5 = %6 %7")
            .arg(m_shown->titles[indexOf(side)], formatNumber(parts.embedding, 2),
                 formatNumber(parts.heads, 2), formatNumber(parts.mlps, 2), formatNumber(parts.biases, 2),
                 isDifference ? tr("difference") : tr("logit"), formatNumber(found->logit, 2));
    return found->isBeforeCap ? tr("%1 (before the model's soft cap)").arg(sum) : sum;
}

void AttributionPanel::showSums()
{
    QStringList lines;
    for (const Side side : kSides)
        if (const QString line = sums(side); !line.isEmpty())
            lines << line;
    showText(*m_sums, lines.join(QLatin1Char('\n')));
}

void AttributionPanel::pickCount(Side side, int count)
{
    const engine::Attribution* const found = attribution(side);
    if (!found)
        return;
    std::vector<HeadId> heads;
    if (isOfEdges())
        for (const engine::AttributionEdge& edge : found->edges)
            heads.push_back(edge.head);
    else
        for (const control::RankedHead& ranked : contributingHeads(*found))
            heads.push_back(ranked.head);
    heads.resize(std::min(heads.size(), static_cast<std::size_t>(count)));
    pickHeads(explorer(), side, heads);
}

figures::DataTable AttributionPanel::table() const
{
    return attributionTable({attribution(Side::Left), attribution(Side::Right)});
}

}  // namespace hs::panels
