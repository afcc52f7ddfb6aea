#include "panels/analyses/graph/graph_panel.h"

#include "control/document/token_label.h"
#include "panels/analyses/graph/feature_card.h"
#include "panels/analyses/graph/graph_diagram.h"
#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/side_title.h"
#include "panels/widgets/target_fields.h"
#include "panels/widgets/turning_box.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

namespace hs::panels {
namespace {

constexpr int kLeastShare = 5;  // per cent
constexpr int kMostShare = 95;  // what a graph is made with
constexpr int kShareWidth = 120;

QPushButton* newMenuButton(QWidget* parent, const QString& text, const char* name)
{
    auto* const button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    button->setMenu(new QMenu(button));
    return button;
}

}  // namespace

GraphPanel::GraphPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::Graph, parent), m_card(new FeatureCard),
      m_reading(newQuietLabel(this, QStringLiteral("graphReading")))
{
    setObjectName(QStringLiteral("graphPanel"));
    for (const Side side : kSides) {
        m_titles[indexOf(side)] = new SideTitle(side);
        m_diagrams[indexOf(side)] = new GraphDiagram(side);
    }
    addFields();
    setContent(newContent(), tr("Type a prompt to see which features the next token comes from."));
    for (const GraphDiagram* const diagram : m_diagrams)
        actions().addPicture(
            *diagram, diagram == m_diagrams[0] ? tr("left graph") : tr("right graph"),
            [diagram](QPainter& painter, const QPalette& inks) { diagram->draw(painter, inks); });
    connectParts();
    refresh();
}

void GraphPanel::addFields()
{
    addControl(new TargetFields(explorer(), this));
    auto* const field = new QWidget(this);
    m_share = new QSlider(Qt::Horizontal, field);
    m_share->setObjectName(QStringLiteral("graphShare"));
    m_share->setAccessibleName(tr("Share of influence that the nodes drawn have"));
    m_share->setRange(kLeastShare, kMostShare);
    m_share->setPageStep(10);
    m_share->setFixedWidth(kShareWidth);
    m_shareValue = new QLabel(field);
    m_shareValue->setObjectName(QStringLiteral("graphShareValue"));
    m_shareValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 %")));
    auto* const row = new QHBoxLayout(field);
    row->setContentsMargins({});
    row->addWidget(m_share);
    row->addWidget(m_shareValue);
    field->setFocusProxy(m_share);
    addField(tr("&Nodes with"), field);
    QPushButton* const groups = newMenuButton(this, tr("&Groups"), "graphGroups");
    connect(groups->menu(), &QMenu::aboutToShow, this, [this, menu = groups->menu()] { fillGroups(*menu); });
    addControl(groups);
    QPushButton* const coders = newMenuButton(this, tr("&Transcoders"), "graphCoders");
    connect(coders->menu(), &QMenu::aboutToShow, this, [this, menu = coders->menu()] { fillCoders(*menu); });
    addControl(coders);
}

QWidget* GraphPanel::newContent()
{
    auto* const parts = new TurningBox(14);
    for (const Side side : kSides) {
        m_diagrams[indexOf(side)]->setObjectName(QStringLiteral("graphDiagram%1").arg(indexOf(side)));
        parts->addPart(m_titles[indexOf(side)], m_diagrams[indexOf(side)]);
    }
    m_card->setObjectName(QStringLiteral("featureCard"));
    auto* const card = new QScrollArea;  // in a low panel it needs more than there is
    card->setFrameShape(QFrame::NoFrame);
    card->setWidgetResizable(true);
    card->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    card->setFocusPolicy(Qt::NoFocus);
    card->viewport()->setBackgroundRole(QPalette::Window);
    card->setWidget(m_card);
    parts->addPart(card);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(parts, 1);
    column->addWidget(m_reading);
    return content;
}

void GraphPanel::connectParts()
{
    connect(m_share, &QSlider::valueChanged, this, [this](int value) {
        m_shareValue->setText(tr("%1 %").arg(value));
        if (!m_isShowing)
            explorer().edit(
                tr("Change share of nodes"),
                [value](control::Document& document) { document.analyses.graphShare = value / 100.0; },
                QStringLiteral("graph-share"));
    });
    for (const Side side : kSides)
        connectDiagram(side);
    connect(m_card, &FeatureCard::edgePicked, this, [this](const figures::ViewEdge& edge) {
        if (const auto shown = described())
            explorer().edit(tr("Pick edge"), [&](control::Document& document) {
                pickEdge(document, shown->first, m_shown, edge);
            });
    });
    connect(m_card, &FeatureCard::labelEdited, this, [this](const QString& label) {
        const auto shown = described();
        if (!shown)
            return;
        const features::GraphNode& node = m_shown[indexOf(shown->first)].firstOf(shown->second);
        explorer().edit(tr("Label feature"), [&](control::Document& document) {
            document.side(shown->first).graph.labels[{node.layer, static_cast<int>(node.index)}] =
                label.toStdString();
        });
    });
    connect(m_card, &FeatureCard::switched, this, [this](bool isOff) {
        if (const auto shown = described())
            explorer().edit(isOff ? tr("Switch feature off") : tr("Switch feature on"),
                            [&](control::Document& document) {
                                switchFeatures(document, shown->first,
                                               m_shown[indexOf(shown->first)].idsOf(shown->second), isOff);
                            });
    });
    connect(&analyses(), &control::AnalysisRuns::changed, this, [this](service::AnalysisKind kind) {
        if (kind == service::AnalysisKind::EdgeHeads && isVisible())
            showCard();
    });
    connect(&explorer(), &control::Explorer::currentChanged, this, [this] {
        const auto head = explorer().currentHead();
        m_carrier = head ? std::optional(Carrier{explorer().activeSide(), *head}) : std::nullopt;
        if (!isVisible())
            return;
        showMarks();
        showReading();
    });
}

GraphPanel::~GraphPanel()
{
    // Diagrams that are taken down point at nothing any more, and would say so to what is left of the panel.
    for (GraphDiagram* const diagram : m_diagrams)
        diagram->disconnect(this);
    m_card->disconnect(this);
}

void GraphPanel::connectDiagram(Side side)
{
    GraphDiagram* const diagram = m_diagrams[indexOf(side)];
    connect(diagram, &GraphDiagram::pointed, this, [this, side] { pointAt(side); });
    connect(diagram, &GraphDiagram::nodePicked, this, [this, side](int node, bool isAdded) {
        m_carrier.reset();
        explorer().edit(tr("Pick feature"), [&](control::Document& document) {
            pickNode(document, side, m_shown, node, isAdded);
        });
    });
    connect(diagram, &GraphDiagram::edgePicked, this, [this, side](const figures::ViewEdge& edge) {
        m_carrier.reset();
        explorer().edit(tr("Pick edge"), [&, picked = edge](control::Document& document) {
            pickEdge(document, side, m_shown, picked);
        });
    });
    connect(diagram, &GraphDiagram::nothingPicked, this, [this] {
        m_carrier.reset();
        explorer().edit(tr("Pick nothing"), [](control::Document& document) { pickNothing(document); });
        showMarks();
    });
}

void GraphPanel::fillGroups(QMenu& menu)
{
    menu.clear();
    for (const Side side : kSides) {
        const control::GraphChoice& choice = explorer().document().side(side).graph;
        if (!m_shown[indexOf(side)].found)
            continue;
        menu.addSection(sideTitle(explorer(), side));
        menu.addAction(tr("Group picked…"), this, [this, side] { askForName(side); })
            ->setEnabled(canGroup(choice));
        menu.addAction(tr("Group alike features"), this, [this, side] {
            explorer().edit(tr("Group alike features"), [&](control::Document& document) {
                groupAlike(document, side, m_shown[indexOf(side)]);
            });
        });
        menu.addAction(tr("Ungroup picked"), this,
                       [this, side] {
                           explorer().edit(tr("Ungroup features"), [side](control::Document& document) {
                               ungroupPicked(document, side);
                           });
                       })
            ->setEnabled(!choice.groups.empty() && !choice.picked.empty());
        menu.addAction(tr("Ungroup all"), this,
                       [this, side] {
                           explorer().edit(tr("Ungroup all features"), [side](control::Document& document) {
                               document.side(side).graph.groups.clear();
                           });
                       })
            ->setEnabled(!choice.groups.empty());
    }
}

void GraphPanel::askForName(Side side)
{
    auto* const dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Group features"));
    dialog->setLabelText(tr("Name of the group:"));
    const std::vector<int> picked =
        m_shown[indexOf(side)].nodesWith(explorer().document().side(side).graph.picked);
    if (!picked.empty())
        dialog->setTextValue(m_shown[indexOf(side)].names[picked.front()]);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, side](const QString& name) {
        explorer().edit(tr("Group features"), [&](control::Document& document) {
            groupPicked(document, side, name.trimmed().toStdString());
        });
    });
    dialog->open();
}

void GraphPanel::fillCoders(QMenu& menu)
{
    menu.clear();
    for (const Side side : kSides) {
        if (!explorer().state(side).model)
            continue;
        const QString chosen = explorer().document().side(side).graph.coders;
        const auto choose = [this, side](const QString& folder) {
            explorer().edit(tr("Choose transcoders"), [&](control::Document& document) {
                document.side(side).graph = {};
                document.side(side).graph.coders = folder;
            });
        };
        menu.addSection(sideTitle(explorer(), side));
        QAction* const own = menu.addAction(tr("Beside the model"), this, [choose] { choose({}); });
        own->setCheckable(true);
        own->setChecked(chosen.isEmpty());
        if (!chosen.isEmpty()) {
            QAction* const other =
                menu.addAction(QString(chosen).replace(QLatin1Char('&'), QStringLiteral("&&")));
            other->setCheckable(true);
            other->setChecked(true);
        }
        menu.addAction(tr("Choose a folder…"), this, [this, choose] {
            const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of transcoders"));
            if (!folder.isEmpty())
                choose(folder);
        });
    }
}

void GraphPanel::pointAt(Side side)
{
    const GraphDiagram& diagram = *m_diagrams[indexOf(side)];
    const ShownGraph& shown = m_shown[indexOf(side)];
    control::Hover hover;
    if (const auto node = diagram.pointedNode())
        hover = {side, std::nullopt,
                 explorer().placeOf(side, shown.view.nodes[static_cast<std::size_t>(*node)].position),
                 std::nullopt};
    else if (const auto edge = diagram.pointedEdge())
        hover = {side, std::nullopt, explorer().placeOf(side, shown.firstOf(edge->target).position),
                 explorer().placeOf(side, shown.firstOf(edge->source).position)};
    explorer().setHover(hover);
    showReading();
}

void GraphPanel::showDocument()
{
    m_isShowing = true;
    const int share = static_cast<int>(std::lround(100 * explorer().document().analyses.graphShare));
    m_share->setValue(share);
    m_shareValue->setText(tr("%1 %").arg(m_share->value()));
    m_isShowing = false;
}

void GraphPanel::showEvent(QShowEvent* event)
{
    analyses().setWatched(service::AnalysisKind::EdgeHeads, true, this);
    AnalysisFrame::showEvent(event);
}

void GraphPanel::hideEvent(QHideEvent* event)
{
    analyses().setWatched(service::AnalysisKind::EdgeHeads, false, this);
    explorer().setTokenShades({});
    AnalysisFrame::hideEvent(event);
}

}  // namespace hs::panels
