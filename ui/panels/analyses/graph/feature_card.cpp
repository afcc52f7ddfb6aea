#include "panels/analyses/graph/feature_card.h"

#include "control/document/token_label.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr std::size_t kMostWords = 6;  // tokens named of each kind
constexpr int kLeastRows = 4;          // of the list, however low the panel is

QString wordsOf(const std::vector<features::FeatureToken>& tokens)
{
    QStringList words;
    for (std::size_t index = 0; index < std::min(tokens.size(), kMostWords); ++index) {
        const QString word = control::tokenLabel(tokens[index].text).toHtmlEscaped();
        if (!words.contains(word))
            words << word;
    }
    return words.join(QStringLiteral(", "));
}

/// The text around a token, which is bold.
QString exampleOf(const features::FeatureToken& token)
{
    const auto text = [](std::string_view bytes) {
        QString part = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
        return part.replace(QLatin1Char('\n'), QStringLiteral("↵")).toHtmlEscaped();
    };
    const std::string_view context = token.context;
    const std::size_t end = std::min(context.size(), token.begin + token.text.size());
    return QStringLiteral("<i>%1<b>%2</b>%3</i>")
        .arg(text(context.substr(0, token.begin)), text(context.substr(token.begin, end - token.begin)),
             text(context.substr(end)));
}

}  // namespace

QString descriptionOf(const features::FeatureTexts& texts)
{
    QStringList parts;
    const auto add = [&](const QString& what, const std::vector<features::FeatureToken>& tokens) {
        if (!tokens.empty())
            parts << QStringLiteral("<b>%1</b> %2").arg(what, wordsOf(tokens));
    };
    add(FeatureCard::tr("fires on"), texts.firesOn);
    if (!texts.firesOn.empty() && !texts.firesOn.front().context.empty())
        parts << FeatureCard::tr("as in %1").arg(exampleOf(texts.firesOn.front()));
    add(FeatureCard::tr("promotes"), texts.promotes);
    add(FeatureCard::tr("suppresses"), texts.suppresses);
    return parts.join(QStringLiteral("<br>"));
}

FeatureCard::FeatureCard(QWidget* parent)
    : QWidget(parent), m_words(newHeading(this, QStringLiteral("featureWords"))),
      m_facts(newQuietLabel(this, QStringLiteral("featureFacts"))), m_label(new QLineEdit(this)),
      m_off(new QCheckBox(tr("S&witched off in the run"), this)),
      m_description(newQuietLabel(this, QStringLiteral("featureDescription"))),
      m_heads(newQuietLabel(this, QStringLiteral("featureHeads"))), m_list(new QTreeWidget(this))
{
    m_description->setTextFormat(Qt::RichText);
    m_description->setForegroundRole(QPalette::WindowText);
    m_heads->setForegroundRole(QPalette::WindowText);
    m_label->setObjectName(QStringLiteral("featureLabel"));
    m_label->setAccessibleName(tr("Label of the feature"));
    m_label->setPlaceholderText(tr("Label, kept beside the transcoders"));
    m_off->setObjectName(QStringLiteral("featureOff"));
    m_off->setToolTip(
        tr("Runs the model without what the feature writes; grids and predictions show what changes."));
    m_list->setObjectName(QStringLiteral("featureEdges"));
    m_list->setAccessibleName(tr("Strongest edges of the feature"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setMinimumHeight(kLeastRows * fontMetrics().height());
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("edge"), tr("other end"), tr("adds")});
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(2);
    for (QWidget* const part :
         std::initializer_list<QWidget*>{m_words, m_facts, m_label, m_off, m_description, m_heads})
        column->addWidget(part);
    column->addWidget(m_list, 1);
    connect(m_label, &QLineEdit::editingFinished, this, [this] {
        if (m_label->isModified())
            Q_EMIT labelEdited(m_label->text().trimmed());
        m_label->setModified(false);
    });
    connect(m_off, &QCheckBox::clicked, this, &FeatureCard::switched);
    const auto pick = [this](QTreeWidgetItem* item) {
        const auto row = static_cast<std::size_t>(m_list->indexOfTopLevelItem(item));
        if (row < m_edges.size())
            Q_EMIT edgePicked(figures::ViewEdge(m_edges[row].edge));
    };
    connect(m_list, &QTreeWidget::itemClicked, this, pick);
    connect(m_list, &QTreeWidget::itemActivated, this, pick);
    setContent(std::nullopt, {});
}

void FeatureCard::setContent(const std::optional<CardContent>& content, const std::vector<CardEdge>& edges)
{
    showText(*m_words, content ? content->words : QString());
    showText(*m_facts,
             content ? content->facts
                     : tr("Click a node to see what it fires on and promotes, and which heads carry its "
                          "strongest edge; Ctrl-click picks several, which can be grouped."));
    m_label->setVisible(content && content->hasLabel);
    if (content && content->hasLabel && !m_label->isModified()) {
        const QSignalBlocker blocker(m_label);
        m_label->setText(content->label);
    }
    m_off->setVisible(content && content->canSwitch);
    m_off->setChecked(content && content->isOff);
    showText(*m_description, content ? content->description : QString());
    showText(*m_heads, content ? content->heads : QString());
    m_list->setVisible(content.has_value());
    fillEdges(edges);
}

void FeatureCard::fillEdges(const std::vector<CardEdge>& edges)
{
    m_edges = edges;
    m_list->clear();
    for (const CardEdge& edge : edges) {
        auto* const row = new QTreeWidgetItem(
            {edge.isOutgoing ? tr("to") : tr("from"), edge.words, formatNumber(edge.edge.weight, 3)});
        row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        row->setToolTip(1, edge.words);
        m_list->addTopLevelItem(row);
    }
}

}  // namespace hs::panels
