#include "panels/prompt/predictions_panel.h"

#include "control/document/token_label.h"
#include "panels/prompt/prediction_table.h"
#include "panels/prompt/watched_tokens.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/share_bar_table.h"
#include "panels/widgets/shown_tokens.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace hs::panels {

PredictionsPanel::PredictionsPanel(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_model(new PredictionTable(this)),
      m_heading(newHeading(this, QStringLiteral("predictionHeading"))),
      m_place(newQuietLabel(this, QStringLiteral("predictionPlace"))),
      m_legend(newQuietLabel(this, QStringLiteral("predictionLegend"))),
      m_toEnd(new QPushButton(tr("Back to the &end"), this)),
      m_table(new ShareBarTable(m_model, QStringLiteral("100.0 → 100.0 %"), this)),
      m_empty(newQuietLabel(this, QStringLiteral("predictionEmpty"))),
      m_watched(new WatchedTokens(explorer, this))
{
    setObjectName(QStringLiteral("predictionsPanel"));
    compose();
    connect(m_toEnd, &QPushButton::clicked, this, [this] {
        m_explorer.edit(tr("Read predictions at the end"),
                        [](control::Document& document) { document.position.reset(); });
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](QPoint point) {
        const QModelIndex index = m_table->indexAt(point);
        if (!index.isValid())
            return;
        QMenu* const menu = newMenu(index.row());
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_table->viewport()->mapToGlobal(point));
    });
    connect(&m_explorer, &control::Explorer::stateChanged, this, &PredictionsPanel::refresh);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &PredictionsPanel::showPlace);
    refresh();
}

PredictionsPanel::~PredictionsPanel()
{
    delete m_watched;  // while the panel can still receive its signals
}

void PredictionsPanel::compose()
{
    m_table->setObjectName(QStringLiteral("predictionTable"));
    m_table->setAccessibleName(tr("Predicted tokens"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_toEnd->setObjectName(QStringLiteral("toEndButton"));
    m_toEnd->setAccessibleName(tr("Read predictions at the end"));
    m_toEnd->setAutoDefault(false);
    m_place->setWordWrap(false);
    m_legend->setWordWrap(false);
    m_legend->setText(tr("· before → after ablation"));
    auto* const place = new QWidget(this);
    auto* const flow = new FlowLayout(8, place);
    flow->addWidget(m_place);
    flow->addWidget(m_legend);
    flow->addWidget(m_toEnd);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(4);
    column->addWidget(m_heading);
    column->addWidget(place);
    column->addWidget(m_empty);
    column->addWidget(m_table, 1);
    column->addWidget(m_watched);
}

void PredictionsPanel::refresh()
{
    m_model->show(m_explorer);
    const bool hasRows = m_model->rowCount() > 0;
    const QString reason = m_explorer.whyNoRun();
    m_table->setVisible(hasRows);
    m_empty->setVisible(!hasRows);
    m_empty->setText(
        !reason.isEmpty() ? reason
        : m_explorer.document().set.average
            ? tr("An average predicts nothing. Choose a prompt of the set to see what follows it.")
            : tr("Open a model and type a prompt to see what it predicts next."));
    m_watched->setVisible(reason.isEmpty());
    bool isChanged = false;
    for (const Side side : kSides) {
        const control::SideState& state = m_explorer.state(side);
        m_table->setColumnHidden(1 + static_cast<int>(indexOf(side)),
                                 !state.run || !m_explorer.whyNoRun(side).isEmpty());
        isChanged = isChanged || hasAblations(state);
    }
    m_legend->setVisible(isChanged);
    m_table->setDimmed(m_explorer.state(Side::Left).isStale || m_explorer.state(Side::Right).isStale);
    m_table->fit();
    showPlace();
}

void PredictionsPanel::showPlace()
{
    const Side side = m_explorer.tokenSide();
    const bool canPredict = m_explorer.whyNoRun(side).isEmpty();
    const auto run = m_explorer.state(canPredict ? side : otherSide(side)).run;
    m_toEnd->setVisible(m_explorer.document().position.has_value());
    if (!run || run->set || !m_explorer.whyNoRun().isEmpty()) {
        m_heading->setText(tr("Next token"));
        m_place->clear();
        return;
    }
    const auto position = static_cast<std::size_t>(run->position);
    const std::vector<text::Token>& tokens = run->textTokens();
    const QString token = position < tokens.size() ? control::tokenLabel(tokens[position].text) : QString();
    m_heading->setText(tr("Next token after “%1”").arg(token));
    const bool isEnd = run->position + 1 >= static_cast<int>(tokens.size());
    m_place->setText(isEnd ? tr("at the end, position %1").arg(run->position)
                           : tr("at position %1 of %2").arg(run->position).arg(tokens.size() - 1));
}

QMenu* PredictionsPanel::newMenu(int row)
{
    auto* const menu = new QMenu(this);
    menu->addAction(tr("Watch as target"), this, [this, row] { watch(row, &control::Document::target); });
    menu->addAction(tr("Watch as distractor"), this,
                    [this, row] { watch(row, &control::Document::distractor); });
    return menu;
}

void PredictionsPanel::watch(int row, QString control::Document::* field)
{
    const QString text = QString::fromStdString(m_model->rows()[static_cast<std::size_t>(row)].text);
    m_explorer.edit(tr("Watch token"), [&](control::Document& document) { document.*field = text; });
}

}  // namespace hs::panels
