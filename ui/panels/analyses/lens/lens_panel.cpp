#include "panels/analyses/lens/lens_panel.h"

#include "panels/analyses/lens/lens_table.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/side_title.h"
#include "panels/widgets/target_fields.h"
#include "panels/widgets/turning_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

constexpr auto kSaliency = service::AnalysisKind::Saliency;

/// A side's result, held with everything around it.
template <class Found>
std::shared_ptr<const Found> sharedResult(const control::AnalysisState& state)
{
    if (!state.finding)
        return nullptr;
    const auto* const found = std::get_if<Found>(state.finding->result.get());
    return found ? std::shared_ptr<const Found>(state.finding->result, found) : nullptr;
}

}  // namespace

LensPanel::LensPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Lens, parent),
      m_reading(newQuietLabel(this, QStringLiteral("lensReading")))
{
    setObjectName(QStringLiteral("lensPanel"));
    for (const Side side : kSides) {
        m_titles[indexOf(side)] = new SideTitle(side);
        m_tables[indexOf(side)] = new LensTable;
        m_tables[indexOf(side)]->setObjectName(QStringLiteral("lensTable%1").arg(indexOf(side)));
        m_tables[indexOf(side)]->setAccessibleName(side == Side::Left ? tr("Lens of the left model")
                                                                      : tr("Lens of the right model"));
    }
    addFields();
    setContent(newContent(), tr("Type a prompt to see what the model would say after each layer."));
    connectParts();
    refresh();
}

void LensPanel::addFields()
{
    addControl(new TargetFields(explorer(), this));
    m_colour = addChoice("lensColour", tr("&Colour"), {tr("probability"), tr("rank of the target")},
                         [this](int index) {
                             choose(tr("Change colours of the lens"), [index](control::LensChoice& lens) {
                                 lens.colour = static_cast<control::LensChoice::Colour>(index);
                             });
                         });
    m_colour->setToolTip(
        tr("Of the most probable token, from 0 to 1, or of the target: full colour where it is "
           "the first, none from the 10,000th on."));
    m_saliency =
        addChoice("lensSaliency", tr("To&kens"),
                  {tr("plain"), tr("gradient × input"), tr("integrated gradients")}, [this](int index) {
                      choose(tr("Change saliency"), [index](control::LensChoice& lens) {
                          lens.saliency = static_cast<control::LensChoice::Saliency>(index);
                      });
                  });
    m_saliency->setToolTip(tr("How much each token of the prompt does for the target's logit, by gradients"));
    m_halves = new QCheckBox(tr("&Halves"), this);
    m_halves->setObjectName(QStringLiteral("lensHalves"));
    m_halves->setToolTip(tr("Also between the attention and the MLP of each layer"));
    addControl(m_halves);
}

QWidget* LensPanel::newContent()
{
    auto* const parts = new TurningBox(16);
    for (const Side side : kSides)
        parts->addPart(m_titles[indexOf(side)], m_tables[indexOf(side)]);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(parts, 1);
    column->addWidget(m_reading);
    return content;
}

void LensPanel::connectParts()
{
    connect(m_halves, &QCheckBox::clicked, this, [this](bool isChecked) {
        choose(tr("Change depths of the lens"),
               [isChecked](control::LensChoice& lens) { lens.withHalves = isChecked; });
    });
    connect(&analyses(), &control::AnalysisRuns::changed, this, [this](service::AnalysisKind kind) {
        if (kind == kSaliency)
            refresh();
    });
    for (const Side side : kSides)
        connectTable(side);
}

void LensPanel::connectTable(Side side)
{
    const LensTable* const table = m_tables[indexOf(side)];
    connect(table, &LensTable::pointedChanged, this, [this, side] { pointAt(side); });
    connect(table, &LensTable::positionPicked, this, [this, side](int position) { pick(side, position); });
    for (const auto bar :
         {&QAbstractScrollArea::horizontalScrollBar, &QAbstractScrollArea::verticalScrollBar})
        connect((table->*bar)(), &QScrollBar::valueChanged, this, [this, side, bar](int value) {
            const LensTable* const other = m_tables[indexOf(otherSide(side))];
            const auto count = [](const LensTable& one) {
                return std::pair(one.lens().rowCount(), one.lens().columnCount());
            };
            if (count(*other) == count(*m_tables[indexOf(side)]))
                (other->*bar)()->setValue(value);
        });
}

void LensPanel::choose(const QString& what, const std::function<void(control::LensChoice&)>& change)
{
    explorer().edit(what, [&](control::Document& document) { change(document.analyses.lens); });
}

void LensPanel::pick(Side side, int position)
{
    const std::optional<int> query =
        explorer().asPin(side, control::Axis::Query, explorer().placeOf(side, position));
    explorer().edit(tr("Pin token"), [&](control::Document& document) {
        document.query = document.query == query ? std::nullopt : query;
    });
}

void LensPanel::pointAt(Side side)
{
    const QModelIndex index = m_tables[indexOf(side)]->pointed();
    explorer().setHover(
        index.isValid()
            ? control::Hover{side, std::nullopt, explorer().placeOf(side, index.column()), std::nullopt}
            : control::Hover());
    showReading();
}

void LensPanel::showDocument()
{
    const control::LensChoice& lens = explorer().document().analyses.lens;
    m_colour->setCurrentIndex(static_cast<int>(lens.colour));
    m_saliency->setCurrentIndex(static_cast<int>(lens.saliency));
    m_halves->setChecked(lens.withHalves);
}

LensContent LensPanel::content(Side side) const
{
    const LensContent& shown = m_contents[indexOf(side)];
    LensContent now;
    now.lens = sharedResult<service::PromptLens>(state(side));
    now.choice = explorer().document().analyses.lens;
    if (!now.lens)
        return now;
    now.model = state(side).finding->request.side.model;
    now.tokens = now.lens == shown.lens ? shown.tokens : textLabels(explorer(), side);
    const control::AnalysisState& saliency = analyses().state(kSaliency, side);
    if (now.choice.saliency != control::LensChoice::Saliency::None && !saliency.isOutdated)
        now.saliency = sharedResult<engine::Saliency>(saliency);
    return now;
}

void LensPanel::showResult()
{
    const control::Look& look = explorer().document().look;
    render::ColourMap colours = render::ColourMap::named(look.colourMap);
    if (isDark(palette()))
        colours = colours.onDark();
    for (const Side side : kSides) {
        LensTable& table = *m_tables[indexOf(side)];
        m_contents[indexOf(side)] = content(side);
        table.setContent(m_contents[indexOf(side)]);
        table.setColours(colours, state(side).isOutdated);
        const auto pinned = explorer().pinned(side).query;
        table.setMark(pinned ? std::optional(explorer().tokenOf(side, pinned->last)) : std::nullopt);
        m_titles[indexOf(side)]->setText(titleOf(side));
        m_titles[indexOf(side)]->parentWidget()->setVisible(m_contents[indexOf(side)].lens != nullptr);
    }
    showReading();
}

QString LensPanel::titleOf(Side side) const
{
    const LensContent& shown = m_contents[indexOf(side)];
    return shown.lens ? tr("%1 · target %2")
                            .arg(sideTitle(explorer(), side), tokenName(*shown.model, shown.lens->target))
                      : QString();
}

QString LensPanel::reading(Side side) const
{
    const LensTable& table = *m_tables[indexOf(side)];
    const QModelIndex index = table.pointed();
    if (!index.isValid())
        return {};
    const LensModel& lens = table.lens();
    const engine::LensReading& found = lens.readingAt(index);
    QStringList best;
    for (const engine::Prediction& prediction : found.top)
        best << tr("%1 %2").arg(lens.nameOf(prediction.token), formatPercent(prediction.probability));
    const engine::TokenRank& target = found.watched.at(0);
    return tr("%1 %2 at %3: %4 · %5 is no. %6 with %7")
        .arg(sideTitle(explorer(), side), lens.depthWords(index.row()),
             tokenWords(lens.content().tokens, index.column()), best.join(QStringLiteral(", ")),
             lens.nameOf(lens.content().lens->target),
             QLocale().toString(static_cast<qlonglong>(target.rank)), formatPercent(target.probability));
}

QString LensPanel::saliencyWords() const
{
    QStringList sides;
    for (const Side side : kSides) {
        const LensContent& shown = m_contents[indexOf(side)];
        if (!shown.saliency)
            continue;
        const engine::Saliency& found = *shown.saliency;
        sides << (shown.choice.saliency == control::LensChoice::Saliency::Integrated
                      ? tr("%1: the tokens add up to %2 of a logit of %3, which is %4 without them")
                            .arg(sideTitle(explorer(), side),
                                 formatNumber(found.logit - found.baselineLogit + found.error(), 2),
                                 formatNumber(found.logit, 2), formatNumber(found.baselineLogit, 2))
                      : tr("%1: logit %2").arg(sideTitle(explorer(), side), formatNumber(found.logit, 2)));
    }
    return sides.join(QStringLiteral(" · "));
}

void LensPanel::showReading()
{
    QString text;
    for (const Side side : kSides)
        if (text.isEmpty())
            text = reading(side);
    if (text.isEmpty())
        text = saliencyWords();
    m_reading->setText(text.isEmpty() ? tr("Point at a cell to read the five most probable tokens there.")
                                      : text);
}

figures::DataTable LensPanel::table() const
{
    return lensData({m_contents[0].lens.get(), m_contents[1].lens.get()});
}

void LensPanel::showEvent(QShowEvent* event)
{
    AnalysisFrame::showEvent(event);
    analyses().setWatched(kSaliency, true, this);
}

void LensPanel::hideEvent(QHideEvent* event)
{
    analyses().setWatched(kSaliency, false, this);
    AnalysisFrame::hideEvent(event);
}

figures::DataTable lensData(const std::array<const service::PromptLens*, 2>& sides)
{
    figures::DataTable table{{{"side", {}},
                              {"layer", {}},
                              {"position", {}},
                              {"token", {}},
                              {"probability", {}},
                              {"target_rank", {}},
                              {"target_probability", {}}}};
    for (const Side side : kSides)
        if (const service::PromptLens* const lens = sides[indexOf(side)])
            for (const engine::LensLayer& layer : lens->layers)
                for (const engine::LensReading& reading : layer.positions) {
                    const engine::Prediction& best = reading.top.at(0);
                    const engine::TokenRank& target = reading.watched.at(0);
                    std::size_t at = 0;
                    for (const double value :
                         {static_cast<double>(indexOf(side)), layer.layer,
                          static_cast<double>(reading.position), static_cast<double>(best.token),
                          best.probability, static_cast<double>(target.rank), target.probability})
                        table.columns[at++].values.push_back(value);
                }
    return table;
}

}  // namespace hs::panels
