#include "guide/view.h"

#include "guide/style.h"

#include <QEvent>
#include <QImageReader>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>

#include <algorithm>

namespace hs::guide {
namespace {

constexpr int kWidestColumn = 780;  // logical pixels: about ninety letters
constexpr int kMargin = 36;
constexpr int kMostEnlarged = 12;

}  // namespace

View::View(QWidget* parent) : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("guidePage"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(WidgetWidth);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);     // or it would change the column's width
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // a table's border may be a pixel too wide
}

void View::showPage(const Page& page)
{
    m_page = page;
    setAccessibleName(page.title);
    render();
    scrollTo(0);
}

int View::scrolled() const
{
    return verticalScrollBar()->value();
}

void View::scrollTo(int pixels)
{
    verticalScrollBar()->setValue(pixels);
}

int View::columnWidth() const
{
    return std::max(120, std::min(kWidestColumn, viewport()->width() - 2 * kMargin));
}

void View::render()
{
    m_renderedWidth = columnWidth();
    // Laid out once, when complete: each change to a document that is shown would lay it out again.
    auto* const page = new QTextDocument(this);
    page->setUndoRedoEnabled(false);
    page->setMarkdown(m_page.markdown);
    QFont text = font();
    text.setPointSizeF(text.pointSizeF() + 1 + m_enlarged);
    styleGuide(*page, palette(), text);
    sizePictures(*page);
    centreColumn(*page);
    setDocument(page);
    page->size();                          // lays out all of it, so that places far down are known
    horizontalScrollBar()->setMaximum(0);  // its range came from a partial layout
    moveCursor(QTextCursor::Start);
}

void View::centreColumn(QTextDocument& page) const
{
    const double side = std::max(kMargin, (viewport()->width() - columnWidth()) / 2);
    QTextFrameFormat format = page.rootFrame()->frameFormat();
    format.setLeftMargin(side);
    format.setRightMargin(side);
    format.setTopMargin(28);
    format.setBottomMargin(48);
    page.rootFrame()->setFrameFormat(format);
}

/// Tells the layout how large pictures are; they are read when first shown.
void View::sizePictures(QTextDocument& page) const
{
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            QTextImageFormat format = at.fragment().charFormat().toImageFormat();
            if (!format.isValid())
                continue;
            const QSize size = shownSize(QImageReader(guideResource(format.name())).size());
            format.setWidth(size.width());
            format.setHeight(size.height());
            QTextCursor cursor(&page);
            cursor.setPosition(at.fragment().position());
            cursor.setPosition(at.fragment().position() + 1, QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break;  // a picture has a line to itself; its fragment is a different one now
        }
}

/// In logical pixels, for a picture of that many device pixels.
QSize View::shownSize(QSize picture) const
{
    const QSize size = picture / devicePixelRatioF();
    return size.width() <= columnWidth() ? size
                                         : size.scaled(columnWidth(), size.height(), Qt::KeepAspectRatio);
}

QVariant View::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return {};
    const double ratio = devicePixelRatioF();
    const QSize size = shownSize(QImageReader(guideResource(name.path())).size()) * ratio;
    QImage& kept = m_pictures[name.path()];
    if (kept.size() != size)
        kept =
            QImage(guideResource(name.path())).scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    if (kept.isNull())
        return {};
    QImage image = kept;
    // Screenshots in the page's own colours would have no edge.
    QPainter painter(&image);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1));
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

void View::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (m_page.name.isEmpty())
        return;
    if (columnWidth() == m_renderedWidth)
        return centreColumn(*document());
    const double share = double(scrolled()) / std::max(1, verticalScrollBar()->maximum());
    render();
    scrollTo(qRound(share * verticalScrollBar()->maximum()));
}

void View::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    const bool isRestyled = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (!isRestyled || m_page.name.isEmpty())
        return;
    const int scroll = scrolled();
    render();
    scrollTo(scroll);
}

void View::enlarge(int steps)
{
    m_enlarged = steps == 0 ? 0 : std::clamp(m_enlarged + steps, -2, kMostEnlarged);
    const double share = double(scrolled()) / std::max(1, verticalScrollBar()->maximum());
    render();
    scrollTo(qRound(share * verticalScrollBar()->maximum()));
}

bool View::scrollToHeading(const QString& anchor)
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

QStringList View::sections() const
{
    QStringList sections;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() == 2)
            sections << block.text();
    return sections;
}

std::pair<int, int> View::find(const QString& words, Step step)
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
    int chosen = step == Step::Previous ? count - 1 : 0;  // wraps around
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

}  // namespace hs::guide
