#include "panels/prompt/generated_line.h"

#include "control/document/token_label.h"
#include "panels/prompt/token_chip_painter.h"
#include "panels/widgets/panel_style.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

namespace hs::panels {
namespace {

constexpr double kLaterOpacity = 0.45;

}  // namespace

GeneratedLine::GeneratedLine(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);  // the slider is for the keyboard
    viewport()->setBackgroundRole(QPalette::Window);
}

void GeneratedLine::showTokens(std::vector<text::Token> tokens, int step, int parting)
{
    const bool isNew = tokens != m_tokens;
    m_tokens = std::move(tokens);
    m_step = step;
    m_parting = parting;
    if (isNew)
        layOut();
    reveal();
    viewport()->update();
}

void GeneratedLine::layOut()
{
    m_layout = TokenChipLayout(m_tokens, font(), /*hasIds=*/false);
    horizontalScrollBar()->setRange(0, std::max(0, m_layout.width() - viewport()->width()));
    updateGeometry();
}

/// Scrolls so that the token chosen at the step is in view, with some of what came before and after it.
void GeneratedLine::reveal()
{
    if (count() == 0)
        return;
    const QRect chip = m_layout.chip(std::min(m_step, count() - 1));
    horizontalScrollBar()->setValue(chip.center().x() - viewport()->width() / 2);
}

QRect GeneratedLine::chipRect(int token) const
{
    return m_layout.chip(token).translated(-horizontalScrollBar()->value(), 0);
}

QSize GeneratedLine::sizeHint() const
{
    return {400, TokenChipLayout::heightFor(font())};
}

QSize GeneratedLine::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void GeneratedLine::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
    reveal();
}

void GeneratedLine::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void GeneratedLine::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const int offset = horizontalScrollBar()->value();
    painter.translate(-offset, 0);
    TokenChipPainter chips(painter, m_layout, palette());
    const QRect part = event->rect().translated(offset, 0);
    for (int token = 0; token < count(); ++token) {
        if (!m_layout.chip(token).intersects(part))
            continue;
        ChipState state;
        state.isGenerated = true;
        state.isLitAsQuery = state.isRead = token == m_step;
        painter.setOpacity(token > m_step ? kLaterOpacity : 1);
        chips.paint(token, state);
    }
    if (m_parting < 0 || m_parting >= count())
        return;
    painter.setOpacity(1);
    const QRect chip = m_layout.chip(m_parting);
    painter.fillRect(QRect(chip.left() - TokenChipLayout::kGap + 1, 0, 3, viewport()->height()),
                     markColour(palette()));
}

bool GeneratedLine::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const int token = m_layout.tokenAt(help->pos().x() + horizontalScrollBar()->value());
    if (token < 0) {
        QToolTip::hideText();
        return true;
    }
    QString words = tr("“%1”, chosen at step %2")
                        .arg(control::tokenLabel(m_tokens[static_cast<std::size_t>(token)].text))
                        .arg(token);
    if (token == m_parting)
        words += QLatin1Char('\n') + tr("From here on the other model writes something else.");
    QToolTip::showText(help->globalPos(), words + QLatin1Char('\n') + tr("Click: look at this step"),
                       viewport(), chipRect(token));
    return true;
}

void GeneratedLine::mousePressEvent(QMouseEvent* event)
{
    const int token =
        m_layout.tokenAt(static_cast<int>(event->position().x()) + horizontalScrollBar()->value());
    if (event->button() == Qt::LeftButton && token >= 0)
        Q_EMIT stepChosen(token);
}

void GeneratedLine::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() -
                                    (turned.x() != 0 ? turned.x() : turned.y()));
}

}  // namespace hs::panels
