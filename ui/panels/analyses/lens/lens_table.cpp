#include "panels/analyses/lens/lens_table.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kCellPadding = 10;
constexpr int kNarrowestCell = 44;
constexpr int kWidestCell = 88;
constexpr int kMarkHeight = 3;
constexpr double kDeepestSaliency = 0.7;  // of the colour, so that names stay readable

}  // namespace

/// The prompt's tokens, and below each what it does for the logit.
class LensHeader : public QHeaderView {
public:
    LensHeader(const LensModel& lens, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_lens(lens)
    {
        setSectionResizeMode(QHeaderView::Fixed);
        setHighlightSections(false);
        setSectionsClickable(true);
    }

    void setMark(std::optional<int> position)
    {
        m_mark = position;
        viewport()->update();
    }
    /// The largest of all has the deepest colour.
    void follow() { m_largest = m_lens.largestSaliency(); }

    QSize sizeHint() const override
    {
        // Two also while the numbers are on their way: the table must not jump.
        const int lines = m_lens.content().choice.saliency == control::LensChoice::Saliency::None ? 1 : 2;
        return {0, lines * fontMetrics().height() + kMarkHeight + 4};
    }

protected:
    void paintSection(QPainter* painter, const QRect& place, int section) const override
    {
        painter->save();
        const double value = m_lens.saliencyOf(section);
        const QColor base = palette().color(QPalette::Base);
        const render::ColourMap colours = render::ColourMap::diverging();
        const double share = m_largest > 0 && !std::isnan(value) ? value / m_largest : 0;
        const QColor deepest = QColor::fromRgb(colours.at(share < 0 ? 0 : 255));
        painter->fillRect(place, mixed(base, deepest, kDeepestSaliency * std::abs(share)));
        painter->setPen(palette().color(QPalette::Text));
        const int line = fontMetrics().height();
        const QRect name(place.left() + 2, place.top() + 1, place.width() - 4, line);
        painter->drawText(
            name, Qt::AlignCenter,
            fontMetrics().elidedText(m_lens.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString(),
                                     Qt::ElideRight, name.width()));
        if (!std::isnan(value))
            painter->drawText(name.translated(0, line), Qt::AlignCenter, signedNumber(value, 2));
        if (m_mark == section)
            painter->fillRect(place.left(), place.bottom() + 1 - kMarkHeight, place.width(), kMarkHeight,
                              markColour(palette()));
        painter->restore();
    }

private:
    const LensModel& m_lens;
    std::optional<int> m_mark;
    double m_largest = 0;
};

LensTable::LensTable(QWidget* parent)
    : QTableView(parent), m_lens(new LensModel(this)), m_header(new LensHeader(*m_lens, this))
{
    setModel(m_lens);
    setHorizontalHeader(m_header);
    connect(m_header, &QHeaderView::sectionClicked, this, &LensTable::positionPicked);
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT positionPicked(index.column()); });
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    fit();
}

void LensTable::setContent(const LensContent& content)
{
    if (content == m_lens->content())
        return;
    const int before = m_lens->columnCount();
    m_lens->setContent(content);
    m_header->follow();
    fit();
    pointAt({});
    if (const int count = m_lens->columnCount(); count != before)
        scrollTo(m_lens->index(0, count - 1));
}

void LensTable::setColours(const render::ColourMap& colours, bool isDimmed)
{
    m_lens->setColours(colours, isDimmed);
}

void LensTable::setMark(std::optional<int> position)
{
    m_header->setMark(position);
}

/// All columns are as wide as most names need.
void LensTable::fit()
{
    std::vector<int> widths = {kNarrowestCell};
    for (const QString& name : m_lens->names() + m_lens->content().tokens)
        widths.push_back(fontMetrics().horizontalAdvance(name));
    const auto most = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() * 95 / 100);
    std::nth_element(widths.begin(), most, widths.end());
    m_header->setDefaultSectionSize(std::clamp(*most + kCellPadding, kNarrowestCell, kWidestCell));
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    updateGeometries();
}

void LensTable::pointAt(const QModelIndex& index)
{
    if (index == m_pointed)
        return;
    m_pointed = index;
    Q_EMIT pointedChanged();
}

void LensTable::mouseMoveEvent(QMouseEvent* event)
{
    QTableView::mouseMoveEvent(event);
    pointAt(indexAt(event->position().toPoint()));
}

bool LensTable::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        pointAt({});
    return QTableView::viewportEvent(event);
}

void LensTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (hasFocus())
        pointAt(current);
}

void LensTable::keyPressEvent(QKeyEvent* event)
{
    const bool isPick = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isPick && currentIndex().isValid())
        Q_EMIT positionPicked(currentIndex().column());
    else
        QTableView::keyPressEvent(event);
}

void LensTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

}  // namespace hs::panels
