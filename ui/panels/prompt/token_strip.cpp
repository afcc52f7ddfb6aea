#include "panels/prompt/token_strip.h"

#include "control/document/generated_text.h"
#include "control/document/token_label.h"
#include "panels/prompt/token_strip_accessible.h"
#include "panels/widgets/shown_tokens.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

namespace hs::panels {
namespace {

constexpr int kStripBarHeight = 8;

class SlimScrollBar : public QScrollBar {
public:
    SlimScrollBar() : QScrollBar(Qt::Horizontal) {}
    QSize sizeHint() const override { return {QScrollBar::sizeHint().width(), kStripBarHeight}; }
};

QString roleWords(text::TokenRole role)
{
    switch (role) {
    case text::TokenRole::Text: return {};
    case text::TokenRole::Begin: return TokenStrip::tr("begins the text");
    case text::TokenRole::Frame: return TokenStrip::tr("of the chat template");
    case text::TokenRole::System: return TokenStrip::tr("of the system message");
    case text::TokenRole::User: return TokenStrip::tr("of a message of the user");
    case text::TokenRole::Assistant: return TokenStrip::tr("of an answer");
    }
    return {};
}

}  // namespace

TokenStrip::TokenStrip(control::Explorer& explorer, QWidget* parent)
    : QAbstractScrollArea(parent), m_explorer(explorer)
{
    installTokenStripAccessibility();
    setObjectName(QStringLiteral("tokenStrip"));
    setAccessibleName(tr("Tokens of the prompt"));
    setAccessibleDescription(tr("Left and Right go from token to token, K pins the key, Q the query, P reads "
                                "the predictions there, Escape releases."));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBar(new SlimScrollBar);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Window);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &TokenStrip::takeTokens);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &TokenStrip::takeTokens);
    connect(&m_explorer, &control::Explorer::hoverChanged, this, &TokenStrip::showHover);
    connect(&m_explorer, &control::Explorer::tokenShadesChanged, viewport(), qOverload<>(&QWidget::update));
    takeTokens();
}

void TokenStrip::show(std::optional<Side> side, std::optional<control::Axis> axis)
{
    if (axis == m_axis && side == m_side)
        return;
    m_axis = axis;
    m_side = side;
    setAccessibleName(axis                  ? *axis == control::Axis::Query ? tr("Queries") : tr("Keys")
                                       : !side ? tr("Tokens of the prompt")
                      : *side == Side::Left ? tr("Tokens of the left side's prompt")
                                            : tr("Tokens of the right side's prompt"));
    takeTokens();
}

void TokenStrip::takeTokens()
{
    const auto run = this->run();
    const std::vector<text::Token> tokens =
        run ? tokensOf(*run, m_axis.value_or(control::Axis::Query)) : std::vector<text::Token>();
    if (tokens != m_tokens) {
        m_tokens = tokens;
        m_current = std::min(m_current, static_cast<int>(m_tokens.size()) - 1);
        m_pointed = -1;
        layOut();
    }
    viewport()->update();
}

void TokenStrip::layOut()
{
    m_layout = TokenChipLayout(m_tokens, font(), m_showsIds);
    updateScrollBar();
    updateGeometry();
    viewport()->update();
}

void TokenStrip::updateScrollBar()
{
    const int room = viewport()->width();
    horizontalScrollBar()->setRange(0, std::max(0, m_layout.width() - room));
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(40);
}

QSize TokenStrip::sizeHint() const
{
    const int bar = m_layout.width() > width() ? kStripBarHeight : 0;
    return {400, TokenChipLayout::heightFor(font()) + bar};
}

QSize TokenStrip::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void TokenStrip::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
    updateGeometry();
}

void TokenStrip::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void TokenStrip::setShowsIds(bool shows)
{
    m_showsIds = shows;
    layOut();
}

QRect TokenStrip::chipRect(int token) const
{
    return m_layout.chip(token).translated(-horizontalScrollBar()->value(), 0);
}

int TokenStrip::tokenAt(QPoint viewportPoint) const
{
    return m_layout.tokenAt(viewportPoint.x() + horizontalScrollBar()->value());
}

void TokenStrip::reveal(int token)
{
    if (token < 0 || token >= count())
        return;
    const QRect chip =
        m_layout.chip(token).adjusted(-TokenChipLayout::kMargin, 0, TokenChipLayout::kMargin, 0);
    QScrollBar& bar = *horizontalScrollBar();
    if (chip.left() < bar.value())
        bar.setValue(chip.left());
    else if (chip.right() + 1 > bar.value() + viewport()->width())
        bar.setValue(chip.right() + 1 - viewport()->width());
}

/// Scrolls to the tokens hovered in a grid; those pointed at here are already visible.
void TokenStrip::showHover()
{
    const control::CellSpan hovered = m_explorer.hovered(side());
    if (m_pointed < 0)
        for (const auto& [axis, span] :
             {std::pair(control::Axis::Query, hovered.query), std::pair(control::Axis::Key, hovered.key)})
            if (span && m_axis.value_or(axis) == axis) {
                reveal(span->last);
                reveal(span->first);
            }
    viewport()->update();
}

ChipState TokenStrip::stateOf(int token) const
{
    const control::CellSpan hovered = m_explorer.hovered(side());
    const control::CellSpan pinned = m_explorer.pinned(side());
    const int last = count() - 1;
    const bool hasKeys = m_axis != control::Axis::Query;
    const bool hasQueries = m_axis != control::Axis::Key;
    ChipState state;
    state.isKey = hasKeys && pinned.key && pinned.key->contains(token);
    state.isQuery = hasQueries && pinned.query && pinned.query->contains(token);
    state.isLitAsKey = hasKeys && hovered.key && hovered.key->contains(token);
    state.isLitAsQuery = hasQueries && hovered.query && hovered.query->contains(token);
    const text::TokenSpan tokens = tokensAt(token);
    const int end = tokensAt(last).last;
    state.isRead = whyNotRead().isEmpty() &&
                   tokens.contains(std::min(m_explorer.readPosition(side()).value_or(end), end));
    state.isBlock = tokens.first != tokens.last;
    state.isChanged = m_explorer.isChanged(side(), m_axis.value_or(control::Axis::Query), token);
    state.hasFocus = hasFocus() && m_current == token;
    state.isGenerated = isGenerated(token);
    const std::vector<double>& shades = m_explorer.tokenShades();
    if (hasQueries && static_cast<std::size_t>(tokens.last) < shades.size())
        if (const double most = *std::max_element(shades.begin(), shades.end()); most > 0)
            state.shade = std::max(
                0.0,
                *std::max_element(shades.begin() + tokens.first, shades.begin() + tokens.last + 1) / most);
    return state;
}

bool TokenStrip::isGenerated(int token) const
{
    const auto run = this->run();
    return run && tokensAt(token).first + static_cast<int>(run->request.generated.size()) >=
                      static_cast<int>(run->textTokens().size());
}

text::TokenSpan TokenStrip::tokensAt(int token) const
{
    const auto run = this->run();
    return run ? run->tokensAt(token) : token;
}

bool TokenStrip::hasBlocks() const
{
    const auto run = this->run();
    return run && run->hasBlocks();
}

QString TokenStrip::describe(int token) const
{
    const text::Token& shown = m_tokens[static_cast<std::size_t>(token)];
    const QString label = control::tokenLabel(shown.text);
    const text::TokenSpan tokens = tokensAt(token);
    QStringList parts = {(hasBlocks()                       ? tr("Block %1 “%2”")
                          : !m_axis                         ? tr("Token %1 “%2”")
                          : *m_axis == control::Axis::Query ? tr("Query %1 “%2”")
                                                            : tr("Key %1 “%2”"))
                             .arg(token)
                             .arg(label)};
    if (tokens.first != tokens.last)
        parts << tr("tokens %1–%2").arg(tokens.first).arg(tokens.last);
    else if (whyNotRead().isEmpty())
        parts << tr("id %1").arg(shown.id);
    if (const QString role = roleWords(shown.role); !role.isEmpty())
        parts << role;
    const ChipState state = stateOf(token);
    if (state.isGenerated)
        parts << tr("generated");
    if (state.isChanged)
        parts << tr("not so in the other text");
    if (state.isKey)
        parts << tr("pinned as key");
    if (state.isQuery)
        parts << tr("pinned as query");
    if (state.isRead)
        parts << tr("predictions are read here");
    return parts.join(QStringLiteral(", "));
}

/// Whether the tokens are those of a previous prompt, since the new ones have not arrived.
bool TokenStrip::isStale() const
{
    const auto run = this->run();
    const control::Prompt& prompt = m_explorer.document().prompt(side());
    return run && whyNotRead().isEmpty() &&
           (run->request.prompt != prompt.text.toStdString() || run->request.hasBos != prompt.hasBos ||
            (!run->set && run->request.blocks != m_explorer.document().blocks) ||
            run->request.generated != control::generatedShown(m_explorer.document(), side()));
}

QString TokenStrip::emptyText() const
{
    for (const Side side : kSides) {
        const control::SideState& state = m_explorer.state(side);
        if (!state.problem.isEmpty())
            return state.problem;
        if (state.isLoading)
            return tr("The tokens appear here once the model is loaded.");
        if (state.model && !m_explorer.document().prompt(side).text.isEmpty())
            return tr("The tokens appear here once the run is done.");
    }
    return tr("Type a prompt and press Return: its tokens appear here.");
}

void TokenStrip::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    if (count() == 0) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        const QRect room =
            viewport()->rect().adjusted(TokenChipLayout::kMargin, 0, -TokenChipLayout::kMargin, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(emptyText(), Qt::ElideRight, room.width()));
        return;
    }
    if (isStale())
        painter.setOpacity(0.45);
    const int offset = horizontalScrollBar()->value();
    painter.translate(-offset, 0);
    TokenChipPainter chips(painter, m_layout, palette());
    const int first =
        std::max(0, m_layout.tokenAt(std::max(event->rect().left() + offset, TokenChipLayout::kMargin)));
    for (int token = first; token < count(); ++token) {
        if (m_layout.chip(token).left() > event->rect().right() + offset)
            break;
        chips.paint(token, stateOf(token));
    }
}

bool TokenStrip::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        stopPointing();
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const int token = tokenAt(help->pos());
    if (token < 0 && count() > 0)
        QToolTip::hideText();
    else if (token < 0)
        QToolTip::showText(help->globalPos(), emptyText(), viewport());
    else
        QToolTip::showText(
            help->globalPos(),
            describe(token) + QLatin1Char('\n') +
                (m_explorer.document().blocks.unit == text::BlockUnit::Own
                     ? tr("Click: pin · Drag: make one block · Ctrl-click: read the predictions at its end")
                 : whyNotRead().isEmpty()
                     ? tr("Click: pin · Drag: pin several · Ctrl-click: read the predictions here")
                     : tr("Click: pin · Drag: pin several")),
            viewport(), chipRect(token));
    return true;
}

}  // namespace hs::panels
