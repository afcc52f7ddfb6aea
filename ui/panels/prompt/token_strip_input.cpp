// User input on the token strip; its appearance is in token_strip.cpp.
#include "panels/prompt/token_strip.h"
#include "panels/widgets/shown_tokens.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

namespace hs::panels {

TokenPins TokenStrip::pins() const
{
    if (side() == m_explorer.tokenSide())
        return {m_explorer.document().key, m_explorer.document().query};
    const control::CellSpan pinned = m_explorer.pinned(side());
    return {pinned.key ? std::optional(pinned.key->last) : std::nullopt,
            pinned.query ? std::optional(pinned.query->last) : std::nullopt};
}

TokenPins TokenStrip::pinsAfterClick(int token) const
{
    if (!m_axis)
        return pins().afterClick(token, isCausal());
    return *m_axis == control::Axis::Query ? pins().withQuery(token) : pins().withKey(token);
}

bool TokenStrip::isCausal() const
{
    const auto run = this->run();
    return !run || run->after.isCausal;
}

QString TokenStrip::whyNotRead() const
{
    return m_explorer.whyNoRun(side());
}

void TokenStrip::pin(const TokenPins& pins)
{
    const auto key = m_explorer.asPin(side(), control::Axis::Key, pins.key);
    const auto query = m_explorer.asPin(side(), control::Axis::Query, pins.query);
    if (key.has_value() != pins.key.has_value() || query.has_value() != pins.query.has_value())
        return;  // the other text has no such token to pin
    ++m_clicks;
    m_explorer.edit(
        tr("Pin token"),
        [&](control::Document& document) {
            document.key = key;
            document.query = query;
        },
        QStringLiteral("pin-%1").arg(m_clicks));
}

/// Where a click on a chip reads predictions: at its last token; at the end where they are read there already.
std::optional<int> TokenStrip::readPositionAt(int token) const
{
    const int at = tokensAt(token).last;
    const bool isReset = token == count() - 1 || m_explorer.readPosition(side()) == at;
    return m_explorer.asReadPosition(side(), isReset ? std::nullopt : std::optional(at));
}

void TokenStrip::readAt(int token)
{
    if (!whyNotRead().isEmpty())
        return;
    m_explorer.edit(tr("Read predictions"),
                    [&](control::Document& document) { document.position = readPositionAt(token); });
}

/// Lights what a click would pin: a column for a key, a row for a query.
void TokenStrip::pointAt(int token, Qt::KeyboardModifiers modifiers)
{
    m_pointed = token;
    if (token < 0) {
        stopPointing();
        return;
    }
    const bool isQuery = m_axis ? *m_axis == control::Axis::Query
                                : modifiers.testFlag(Qt::ShiftModifier) || pins().query == token ||
                                      (!pins().holds(token) && pins().wouldPinQuery(token, isCausal()));
    control::Hover hover;
    hover.side = side();
    (isQuery ? hover.query : hover.key) = token;
    m_explorer.setHover(hover);
}

void TokenStrip::stopPointing()
{
    if (std::exchange(m_pointed, -1) >= 0)
        m_explorer.setHover({});
}

void TokenStrip::mousePressEvent(QMouseEvent* event)
{
    const int token = tokenAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || token < 0)
        return;
    setCurrentToken(token);
    m_clicked = token;
    m_pinsBeforeClick = pins();
    if (event->modifiers().testFlag(Qt::ControlModifier))
        readAt(token);
    else if (event->modifiers().testFlag(Qt::ShiftModifier) && !m_axis)
        pin(pins().withQuery(token));
    else
        pin(pinsAfterClick(token));
    m_dragged.reset();
    m_draggedTo = token;
    if (pins() != m_pinsBeforeClick && pins().holds(token))
        m_dragged = pins().query == token ? control::Axis::Query : control::Axis::Key;
    pointAt(token, event->modifiers());
}

/// Pins all tokens from the clicked one to this one, in the click's step.
void TokenStrip::dragTo(int token)
{
    m_draggedTo = token;
    m_explorer.edit(
        tr("Pin tokens"),
        [&](control::Document& document) {
            (m_dragged == control::Axis::Query ? document.queryTo : document.keyTo) = m_explorer.asPin(
                side(), m_dragged.value(), token == m_clicked ? std::nullopt : std::optional(token));
        },
        QStringLiteral("pin-%1").arg(m_clicks));
}

void TokenStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int token = tokenAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || token < 0)
        return;
    if (event->modifiers() != Qt::NoModifier || !whyNotRead().isEmpty()) {
        mousePressEvent(event);
        return;
    }
    // The first of the two clicks pinned something: this edit reverts it within the same undo step.
    const TokenPins kept = m_clicked == token ? m_pinsBeforeClick : pins();
    m_explorer.edit(
        tr("Read predictions"),
        [&](control::Document& document) {
            document.key = m_explorer.asPin(side(), control::Axis::Key, kept.key);
            document.query = m_explorer.asPin(side(), control::Axis::Query, kept.query);
            document.position = readPositionAt(token);
        },
        QStringLiteral("pin-%1").arg(m_clicks));
    m_clicked = -1;
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event)
{
    const int token = tokenAt(event->position().toPoint());
    if (m_dragged && token >= 0 && event->buttons().testFlag(Qt::LeftButton))
        dragTo(token);
    if (token >= 0 || m_pointed >= 0)
        pointAt(token, event->modifiers());
}

/// Where own blocks are chosen, what was dragged over becomes one.
void TokenStrip::mouseReleaseEvent(QMouseEvent*)
{
    const bool isMark = m_dragged && m_draggedTo != m_clicked && canMark() &&
                        m_explorer.document().blocks.unit == text::BlockUnit::Own;
    m_dragged.reset();
    if (isMark && std::max(m_clicked, m_draggedTo) < count())
        mark({std::min(m_clicked, m_draggedTo), std::max(m_clicked, m_draggedTo)});
}

void TokenStrip::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    const int step = std::abs(pixels.x()) > std::abs(pixels.y()) ? pixels.x() : pixels.y();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - step);
    pointAt(tokenAt(event->position().toPoint()), event->modifiers());
    event->accept();
}

QMenu* TokenStrip::newMenu(int token)
{
    auto* const menu = new QMenu(this);
    if (token >= 0) {
        const ChipState state = stateOf(token);
        const auto add = [&](const QString& text, bool isChecked, auto act) {
            QAction* const action = menu->addAction(text, this, act);
            action->setCheckable(true);
            action->setChecked(isChecked);
        };
        if (m_axis != control::Axis::Query)
            add(tr("Pin as key\tK"), state.isKey, [this, token] { pin(pins().withKey(token)); });
        if (m_axis != control::Axis::Key)
            add(tr("Pin as query\tQ"), state.isQuery, [this, token] { pin(pins().withQuery(token)); });
        if (whyNotRead().isEmpty())
            add(tr("Read predictions here\tP"), state.isRead, [this, token] { readAt(token); });
        menu->addSeparator();
    }
    if (canMark())
        addBlockActions(*menu, token);
    QAction* const release = menu->addAction(tr("Release pins\tEsc"), this, [this] { pin({}); });
    release->setEnabled(pins() != TokenPins());
    QAction* const words = menu->addAction(tr("Words instead of tokens"), this, [this] {
        m_explorer.edit(tr("Join words"),
                        [](control::Document& document) { document.joinsWords = !document.joinsWords; });
    });
    words->setVisible(!hasBlocks());
    words->setCheckable(true);
    words->setChecked(m_explorer.document().joinsWords);
    QAction* const ids = menu->addAction(tr("Show token ids"), this, &TokenStrip::setShowsIds);
    ids->setCheckable(true);
    ids->setChecked(m_showsIds);
    ids->setVisible(whyNotRead().isEmpty());
    return menu;
}

void TokenStrip::contextMenuEvent(QContextMenuEvent* event)
{
    const bool isKeyboard = event->reason() == QContextMenuEvent::Keyboard;
    const int token = isKeyboard ? m_current : tokenAt(event->pos());
    QMenu* const menu = newMenu(token);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool isAtChip = isKeyboard && token >= 0;
    menu->popup(isAtChip ? viewport()->mapToGlobal(chipRect(token).bottomLeft()) : event->globalPos());
}

void TokenStrip::setCurrentToken(int token)
{
    m_current = std::clamp(token, -1, count() - 1);
    reveal(m_current);
    viewport()->update();
    if (m_current >= 0 && hasFocus()) {
        QAccessibleEvent changed(this, QAccessible::Focus);
        changed.setChild(m_current);
        QAccessible::updateAccessibility(&changed);
    }
}

bool TokenStrip::event(QEvent* event)
{
    // Single letters and Escape may be shortcuts of the window; here the strip takes them.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        const bool isPlain = (key->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier;
        const bool isOwn = key->key() == Qt::Key_K || key->key() == Qt::Key_Q || key->key() == Qt::Key_P ||
                           key->key() == Qt::Key_Space || key->key() == Qt::Key_Left ||
                           key->key() == Qt::Key_Right || key->key() == Qt::Key_Home ||
                           key->key() == Qt::Key_End || key->key() == Qt::Key_Return;
        const bool isEscape = key->key() == Qt::Key_Escape && pins() != TokenPins();
        if (isPlain && count() > 0 && (isOwn || isEscape)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool TokenStrip::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const auto go = [&](int token) {
        setCurrentToken(std::clamp(token, 0, count() - 1));
        pointAt(m_current, modifiers);
    };
    switch (key) {
    case Qt::Key_Left: go(m_current - 1); return true;
    case Qt::Key_Right: go(m_current + 1); return true;
    case Qt::Key_Home: go(0); return true;
    case Qt::Key_End: go(count() - 1); return true;
    default: break;
    }
    if (m_current < 0)
        return false;
    switch (key) {
    case Qt::Key_K:
        if (m_axis != control::Axis::Query)
            pin(pins().withKey(m_current));
        return true;
    case Qt::Key_Q:
        if (m_axis != control::Axis::Key)
            pin(pins().withQuery(m_current));
        return true;
    case Qt::Key_P: readAt(m_current); return true;
    case Qt::Key_Space:
    case Qt::Key_Return:
        pin(modifiers.testFlag(Qt::ShiftModifier) && !m_axis ? pins().withQuery(m_current)
                                                             : pinsAfterClick(m_current));
        return true;
    default: return false;
    }
}

void TokenStrip::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    if (event->key() == Qt::Key_Shift && m_pointed >= 0)
        pointAt(m_pointed, event->modifiers() | Qt::ShiftModifier);
    else if (event->key() == Qt::Key_Escape && pins() != TokenPins())
        pin({});
    else if (!isPlain || count() == 0 || !handleKey(event->key(), event->modifiers()))
        event->ignore();
}

void TokenStrip::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Shift && m_pointed >= 0)
        pointAt(m_pointed, event->modifiers() & ~Qt::ShiftModifier);
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TokenStrip::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (event->reason() != Qt::MouseFocusReason)
        setCurrentToken(std::max(m_current, 0));
}

void TokenStrip::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    if (m_pointed == m_current)
        stopPointing();
    viewport()->update();
}

}  // namespace hs::panels
