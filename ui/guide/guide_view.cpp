#include "guide/guide_view.h"

#include "guide/guide_style.h"

#include <QEvent>
#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>

#include <algorithm>

namespace hs {
namespace {

constexpr int kWidestColumn = 780;  // logical pixels: some ninety letters
constexpr int kMargin = 36;
constexpr int kMostEnlarged = 12;

}  // namespace

GuideView::GuideView(QWidget* parent) : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("guidePage"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(WidgetWidth);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);     // so that a column's width has one cause
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // a table's border may be a pixel too wide
}

void GuideView::showPage(const GuidePage& page)
{
    m_page = page;
    setAccessibleName(page.title);
    render();
    scrollTo(0);
}

int GuideView::scrolled() const
{
    return verticalScrollBar()->value();
}

void GuideView::scrollTo(int pixels)
{
    verticalScrollBar()->setValue(pixels);
}

int GuideView::columnWidth() const
{
    return std::max(120, std::min(kWidestColumn, viewport()->width() - 2 * kMargin));
}

void GuideView::render()
{
    m_renderedWidth = columnWidth();
    document()->clear();
    setMarkdown(m_page.markdown);
    QFont text = font();
    text.setPointSizeF(text.pointSizeF() + 1 + m_enlarged);
    styleGuide(*document(), palette(), text);
    centreColumn();
    moveCursor(QTextCursor::Start);
}

void GuideView::centreColumn()
{
    const double side = std::max(kMargin, (viewport()->width() - columnWidth()) / 2);
    QTextFrameFormat format = document()->rootFrame()->frameFormat();
    format.setLeftMargin(side);
    format.setRightMargin(side);
    format.setTopMargin(28);
    format.setBottomMargin(48);
    document()->rootFrame()->setFrameFormat(format);
}

QVariant GuideView::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return {};
    QImage image(guideResource(name.path()));
    if (image.isNull())
        return {};
    const double ratio = devicePixelRatioF();
    const int widest = qRound(columnWidth() * ratio);
    if (image.width() > widest)
        image = image.scaledToWidth(widest, Qt::SmoothTransformation);
    // Windows in the page's own colours would have no edge.
    QPainter painter(&image);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1));
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

void GuideView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (m_page.name.isEmpty())
        return;
    if (columnWidth() == m_renderedWidth)
        return centreColumn();
    const double share = double(scrolled()) / std::max(1, verticalScrollBar()->maximum());
    render();
    scrollTo(qRound(share * verticalScrollBar()->maximum()));
}

void GuideView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    const bool isDress = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (!isDress || m_page.name.isEmpty())
        return;
    const int scroll = scrolled();
    render();
    scrollTo(scroll);
}

void GuideView::enlarge(int steps)
{
    m_enlarged = steps == 0 ? 0 : std::clamp(m_enlarged + steps, -2, kMostEnlarged);
    const double share = double(scrolled()) / std::max(1, verticalScrollBar()->maximum());
    render();
    scrollTo(qRound(share * verticalScrollBar()->maximum()));
}

bool GuideView::scrollToHeading(const QString& anchor)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || headingAnchor(block.text()) != anchor)
            continue;
        setTextCursor(QTextCursor(block));
        scrollTo(scrolled() + cursorRect().top() - 12);
        return true;
    }
    return false;
}

QStringList GuideView::sections() const
{
    QStringList sections;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() == 2)
            sections << block.text();
    return sections;
}

std::pair<int, int> GuideView::find(const QString& words, Step step)
{
    QList<ExtraSelection> marks;
    QTextCharFormat format;
    QColor colour = palette().color(QPalette::Highlight);
    colour.setAlpha(90);
    format.setBackground(colour);
    if (!words.isEmpty())
        for (QTextCursor at = document()->find(words); !at.isNull(); at = document()->find(words, at))
            marks.push_back({at, format});
    setExtraSelections(marks);
    const int count = static_cast<int>(marks.size());
    if (count == 0)
        return {0, 0};

    const QTextCursor here = textCursor();
    int chosen = step == Step::Previous ? count - 1 : 0;  // goes round
    for (int index = 0; index < count; ++index) {
        const QTextCursor& mark = marks[index].cursor;
        if (step == Step::Previous && mark.selectionEnd() <= here.selectionStart())
            chosen = index;
        const int from = step == Step::Next ? here.selectionEnd() : here.selectionStart();
        if (step != Step::Previous && mark.selectionStart() >= from) {
            chosen = index;
            break;
        }
    }
    setTextCursor(marks[chosen].cursor);
    ensureCursorVisible();
    return {chosen + 1, count};
}

}  // namespace hs
