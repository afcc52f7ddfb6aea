#include "start/model_row_delegate.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "start/model_rows.h"

#include <QAbstractItemView>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace hs::start {
namespace {

constexpr int kPadding = 10;
constexpr int kLineSpace = 3;
constexpr int kButtonPadding = 9;
constexpr int kRounding = 4;  // words may be a little wider than they measure
constexpr int kMostProblemLines = 3;
constexpr double kHovered = 0.05;
constexpr double kChosen = 0.14;
constexpr double kCorner = 5;

QString buttonText(Side side)
{
    return side == Side::Left ? ModelRowDelegate::tr("Left") : ModelRowDelegate::tr("Right");
}

QFont boldened(QFont font)
{
    font.setBold(true);
    return font;
}

int wrappedHeight(const QFontMetrics& metrics, int width, const QString& text)
{
    const int height =
        metrics.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap | Qt::AlignLeft, text).height();
    return std::min(height, kMostProblemLines * metrics.lineSpacing());
}

}  // namespace

ModelRowDelegate::ModelRowDelegate(QAbstractItemView& view) : QStyledItemDelegate(&view), m_view(view) {}

bool ModelRowDelegate::hasButtons(const QModelIndex& index) const
{
    return index.data(ModelRows::OpenableRole).toBool() && !index.data(ModelRows::PairRole).toBool();
}

QRect ModelRowDelegate::buttonRect(const QRect& line, Side side) const
{
    const QFontMetrics metrics(m_view.font());
    const auto widthOf = [&](Side each) {
        return metrics.horizontalAdvance(buttonText(each)) + 2 * kButtonPadding;
    };
    const int height = metrics.height() + 8;
    const int right = line.right() - kPadding + 1;
    const int start = right - widthOf(Side::Right) - (side == Side::Left ? widthOf(side) + 4 : 0);
    return {start, line.center().y() - height / 2 + 1, widthOf(side), height};
}

QRect ModelRowDelegate::wordRect(const QRect& line, const QModelIndex& index) const
{
    const int right =
        hasButtons(index) ? buttonRect(line, Side::Left).left() - 2 * kPadding : line.right() - kPadding;
    return {QPoint(line.left() + kPadding, line.top()), QPoint(right, line.bottom())};
}

QSize ModelRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const QFontMetrics metrics(m_view.font());
    const int width = m_view.viewport()->width();
    if (index.data(ModelRows::HeadingRole).toBool())
        return {0, metrics.height() + (index.row() == 0 ? kPadding / 2 : 2 * kPadding)};
    const bool isOpenable = index.data(ModelRows::OpenableRole).toBool();
    const int facts = isOpenable ? metrics.height()
                                 : wrappedHeight(metrics, wordRect({0, 0, width, 10}, index).width(),
                                                 index.data(ModelRows::FactsRole).toString());
    return {0, 2 * kPadding - 4 + metrics.height() + kLineSpace + facts};
}

void ModelRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(ModelRows::HeadingRole).toBool()) {
        paintHeading(*painter, item);
    } else {
        const bool isOpenable = index.data(ModelRows::OpenableRole).toBool();
        const bool isChosen = item.state.testFlag(QStyle::State_Selected) && m_view.hasFocus();
        const bool isHovered = isOpenable && item.state.testFlag(QStyle::State_MouseOver);
        if (isChosen || isHovered) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(
                panels::mixed(item.palette.color(QPalette::Base),
                              item.palette.color(isChosen ? QPalette::Highlight : QPalette::Text),
                              isChosen ? kChosen : kHovered));
            painter->drawRoundedRect(item.rect.adjusted(0, 1, 0, -1), kCorner, kCorner);
        }
        paintWords(*painter, item, index);
        if (hasButtons(index))
            paintButtons(*painter, item);
    }
    painter->restore();
}

void ModelRowDelegate::paintHeading(QPainter& painter, const QStyleOptionViewItem& item) const
{
    painter.setFont(boldened(item.font));
    painter.setPen(panels::quietInk(item.palette));
    painter.drawText(item.rect.adjusted(kPadding, 0, -kPadding, -2),
                     Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine, item.text);
}

void ModelRowDelegate::paintWords(QPainter& painter, const QStyleOptionViewItem& item,
                                  const QModelIndex& index) const
{
    const bool isOpenable = index.data(ModelRows::OpenableRole).toBool();
    const QColor quiet = panels::quietInk(item.palette);
    const QRect room = wordRect(item.rect, index);
    const QFontMetrics bold(boldened(item.font));
    QRect line(room.left(), room.top() + kPadding - 2, room.width(), item.fontMetrics.height());

    const QString fit = index.data(ModelRows::FitRole).toString();
    const bool isTight = index.data(ModelRows::TightRole).toBool();
    const int fitWidth = std::min(item.fontMetrics.horizontalAdvance(fit) + kRounding, 3 * line.width() / 5);
    painter.setFont(item.font);
    painter.setPen(isTight ? panels::markColour(item.palette) : quiet);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                     item.fontMetrics.elidedText(fit, Qt::ElideRight, fitWidth));
    painter.setFont(boldened(item.font));
    painter.setPen(isOpenable ? item.palette.color(QPalette::Text) : quiet);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     bold.elidedText(item.text, Qt::ElideMiddle, line.width() - fitWidth - kPadding));

    painter.setFont(item.font);
    painter.setPen(quiet);
    const QString facts = index.data(ModelRows::FactsRole).toString();
    line.translate(0, line.height() + kLineSpace);
    if (isOpenable) {
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         item.fontMetrics.elidedText(facts, Qt::ElideMiddle, line.width()));
    } else {
        line.setHeight(wrappedHeight(item.fontMetrics, line.width(), facts));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, facts);
    }
}

void ModelRowDelegate::paintButtons(QPainter& painter, const QStyleOptionViewItem& item) const
{
    const QPoint pointer = m_view.viewport()->mapFromGlobal(QCursor::pos());
    painter.setFont(item.font);
    for (const Side side : kSides) {
        const QRect button = buttonRect(item.rect, side);
        const bool isHovered = item.state.testFlag(QStyle::State_MouseOver) && button.contains(pointer);
        painter.setBrush(item.palette.color(isHovered ? QPalette::Highlight : QPalette::Base));
        painter.setPen(item.palette.color(isHovered ? QPalette::Highlight : QPalette::Mid));
        painter.drawRoundedRect(QRectF(button).adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
        painter.setPen(item.palette.color(isHovered ? QPalette::HighlightedText : QPalette::Text));
        painter.drawText(button, Qt::AlignCenter, buttonText(side));
    }
}

bool ModelRowDelegate::editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option,
                                   const QModelIndex& index)
{
    if (event->type() == QEvent::MouseMove)
        m_view.viewport()->update(option.rect);  // the buttons show what the pointer is on
    if (event->type() != QEvent::MouseButtonRelease)
        return false;
    const auto* const mouse = static_cast<const QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton || !index.data(ModelRows::OpenableRole).toBool())
        return false;
    std::optional<Side> chosen;
    for (const Side side : kSides)
        if (hasButtons(index) && buttonRect(option.rect, side).contains(mouse->position().toPoint()))
            chosen = side;
    Q_EMIT openRequested(index, chosen);
    return true;
}

}  // namespace hs::start
