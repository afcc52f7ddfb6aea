#include "ui/monkey/window_laws.h"

#include "control/document/shown_heads.h"
#include "control/explorer/explorer.h"
#include "grid/geometry.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "panels/heads/head_toggle_matrix.h"
#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/user_text.h"
#include "start/start_page.h"
#include "start/tour.h"
#include "start/tour_card.h"
#include "window/dock_states.h"
#include "window/dock_tabs.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>

namespace hs::test {
namespace {

/// The first text that is not empty.
template <class... Rest>
QString firstOf(const QString& first, const Rest&... rest)
{
    if constexpr (sizeof...(rest) == 0)
        return first;
    else
        return first.isEmpty() ? firstOf(rest...) : first;
}

QString nameOf(Side side)
{
    return side == Side::Left ? QStringLiteral("left") : QStringLiteral("right");
}

std::set<HeadId> headsOf(const std::map<HeadId, HeadChange>& ablations)
{
    std::set<HeadId> heads;
    for (const auto& [head, change] : ablations)
        if (change.isWhole())
            heads.insert(head);
    return heads;
}

/// For menu entries that represent the values of one field: only the entry of the current value is ticked.
template <class Value>
QString brokenChoice(const window::MainWindow& window, Value held,
                     std::initializer_list<std::pair<const char*, Value>> entries)
{
    for (const auto& [text, value] : entries)
        for (const QAction* const action : window.findChildren<QAction*>())
            if (action->isCheckable() && action->text().remove(QLatin1Char('&')) == QString::fromUtf8(text) &&
                action->isChecked() != (value == held))
                return QStringLiteral("the entry \"%1\" is not ticked as the document says")
                    .arg(QString::fromUtf8(text));
    return {};
}

QString brokenHistory(window::MainWindow& window)
{
    QUndoStack& history = window.explorer().history();
    if (window.isWindowModified() == history.isClean())
        return QStringLiteral("the title's mark of unsaved changes is wrong");
    for (const QAction* const action : window.findChildren<QAction*>()) {
        if (action->shortcut() == QKeySequence(QKeySequence::Undo) &&
            action->isEnabled() != history.canUndo())
            return QStringLiteral("Undo is not offered as the history says");
        if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+Shift+Z")) &&
            action->isEnabled() != history.canRedo())
            return QStringLiteral("Redo is not offered as the history says");
    }
    return {};
}

QString brokenGrid(window::MainWindow& window, Side side)
{
    const control::Explorer& explorer = window.explorer();
    const control::Document& document = explorer.document();
    const grid::HeadGrid& grid = window.grids().grid(side);
    const grid::Canvas& canvas = grid.canvas();
    if (grid.isHidden() == control::isShown(document.arrangement, side))
        return QStringLiteral("the %1 grid is not shown as arranged").arg(nameOf(side));
    if (canvas.content().look != document.look)
        return QStringLiteral("the %1 grid has another look").arg(nameOf(side));
    if (canvas.content().heads != explorer.shownHeads(side))
        return QStringLiteral("the %1 grid has other heads than the layout").arg(nameOf(side));
    if (explorer.state(side).run && canvas.content().ablated != headsOf(document.side(side).ablations))
        return QStringLiteral("the %1 grid hatches other heads than are ablated").arg(nameOf(side));
    if (canvas.marks().selected != explorer.selection(side))
        return QStringLiteral("the %1 grid marks other heads than are selected").arg(nameOf(side));
    const auto current = side == explorer.activeSide() ? explorer.currentHead() : std::nullopt;
    if (canvas.marks().current != current)
        return QStringLiteral("the %1 grid marks another head than the current one").arg(nameOf(side));
    const control::CellSpan pinned = explorer.pinned(side);
    if (canvas.marks().pinnedKey != pinned.key || canvas.marks().pinnedQuery != pinned.query)
        return QStringLiteral("the %1 grid marks another cell than is pinned").arg(nameOf(side));
    return {};
}

/// In one direction, from the first to the last pixel of the tiles and of the room for them.
bool wastesRoom(int first, int last, int roomFirst, int roomLast, int margin)
{
    const bool isCutOff = first < roomFirst || last > roomLast;
    return isCutOff && (first > roomFirst + margin || last < roomLast - margin);
}

/// Every shown head has a tile of its own; a grid that fits is seen whole, and a larger one leaves no room
/// empty at one side while it is cut off at the other.
QString brokenLayout(window::MainWindow& window, Side side)
{
    const grid::Canvas& canvas = window.grids().grid(side).canvas();
    if (!canvas.isVisible() || canvas.content().heads.empty())
        return {};
    const grid::Geometry geometry = canvas.geometryNow();
    const render::GridLayout& places = canvas.places();
    if (places.heads() != canvas.content().heads)
        return QStringLiteral("the %1 grid has places for other heads than it shows").arg(nameOf(side));
    for (int tile = 0; tile < places.count(); ++tile)
        if (places.tileAtPlace(places.place(tile)) != tile)
            return QStringLiteral("two tiles of the %1 grid have one place").arg(nameOf(side));
    const QRect tiles = geometry.grid();
    const QRect room = geometry.area();
    const int margin = geometry.pixels().margin + 1;  // and the middle of an odd number of pixels
    if (wastesRoom(tiles.left(), tiles.right(), room.left(), room.right(), margin) ||
        wastesRoom(tiles.top(), tiles.bottom(), room.top(), room.bottom(), margin))
        return QStringLiteral("the %1 grid is cut off although there is room").arg(nameOf(side));
    if (canvas.zoom().tileSide == 0 && geometry.tileSide() > 1 && !room.contains(tiles))
        return QStringLiteral("the %1 grid fits, but is cut off").arg(nameOf(side));
    return {};
}

QString brokenToggles(const window::MainWindow& window, const control::Explorer& explorer)
{
    const auto* const matrix = window.findChild<panels::HeadToggleMatrix*>();
    const panels::HeadToggleModel& toggles = matrix->toggles();
    if (toggles.side() != explorer.activeSide())
        return QStringLiteral("the panel of heads shows the side that is not active");
    const auto& ablations = explorer.document().side(toggles.side()).ablations;
    for (const HeadId head : control::allHeads(toggles.shape())) {
        const QVariant state = toggles.data(toggles.index(head.layer, head.head), Qt::CheckStateRole);
        if ((state.toInt() == Qt::Unchecked) != ablations.contains(head))
            return QStringLiteral("the tick of %1 is wrong").arg(QString::fromStdString(toString(head)));
    }
    return {};
}

QString brokenSwitches(const window::MainWindow& window, const control::Document& document)
{
    if (window.findChild<QPushButton*>(QStringLiteral("bosButton"))->isChecked() != document.prompt().hasBos)
        return QStringLiteral("the switch of the bos token is wrong");
    if (window.findChild<QPushButton*>(QStringLiteral("twoPromptsButton"))->isChecked() ==
        document.alike.prompt)
        return QStringLiteral("the switch of two prompts is wrong");
    const control::SideSetup &left = document.side(Side::Left), &right = document.side(Side::Right);
    if ((document.alike.prompt && left.prompt != right.prompt) ||
        (document.alike.model && left.model != right.model))
        return QStringLiteral("the sides are linked and differ");
    const bool saysBlocks =
        window.findChild<QPushButton*>(QStringLiteral("blocksButton"))->text().contains(QLatin1Char(':'));
    if (saysBlocks != (document.blocks.unit != text::BlockUnit::Tokens))
        return QStringLiteral("the switch of blocks is wrong");
    if (window.findChild<QPushButton*>(QStringLiteral("chatButton"))->isChecked() != document.prompt().isChat)
        return QStringLiteral("the switch of the chat is wrong");
    if (window.findChild<QComboBox*>(QStringLiteral("ablationKind"))->currentData().toInt() !=
        static_cast<int>(document.tool.kind))
        return QStringLiteral("the kind of ablation is wrong");
    return {};
}

QString textIn(const QLineEdit& edit)
{
    return edit.text();
}

QString textIn(const panels::PromptEdit& edit)
{
    return edit.toPlainText();
}

/// Checks all fields of that name: several panels may show the same text.
template <class Edit>
QString brokenText(const window::MainWindow& window, const char* field, const QString& text)
{
    for (const auto* const edit : window.findChildren<Edit*>(QString::fromLatin1(field)))
        if (textIn(*edit) != text)
            return QStringLiteral("%1 shows \"%2\" and not \"%3\"")
                .arg(QString::fromLatin1(field), textIn(*edit), text);
    return {};
}

/// Fields commit typed text after a pause, unless the preferences make them wait for Return.
QString brokenTexts(window::MainWindow& window)
{
    const control::Document& document = window.explorer().document();
    if (!window.explorer().preferences().runsAsYouType)
        return {};
    const QString promptEdit =
        document.prompt().isChat  // then a form stands in its place
            ? QString()
            : brokenText<panels::PromptEdit>(window, "promptEdit", document.prompt().text);
    const QString other = panels::userText(document.prompt(Side::Right));
    return firstOf(promptEdit, brokenText<panels::PromptEdit>(window, "otherEdit", other),
                   brokenText<panels::PromptEdit>(window, "corruptedEdit", document.corrupted),
                   brokenText<QLineEdit>(window, "headFilter", document.filter),
                   brokenText<QLineEdit>(window, "metricsFilter", document.filter),
                   brokenText<QLineEdit>(window, "targetEdit", document.target),
                   brokenText<QLineEdit>(window, "distractorEdit", document.distractor));
}

QString brokenRun(const control::Explorer& explorer, Side side)
{
    const control::SideState& state = explorer.state(side);
    const control::Document& document = explorer.document();
    if (document.side(side).model.isEmpty() || !state.problem.isEmpty())
        return {};
    if (!state.run)
        return QStringLiteral("the %1 side shows neither a run nor why there is none").arg(nameOf(side));
    if (state.run->request != control::sideRequest(document, side, state.model))
        return QStringLiteral("the run of the %1 side is not the document's").arg(nameOf(side));
    if (state.run->after.queries() != static_cast<int>(state.run->tokens.size()) ||
        !state.run->spans.fit(static_cast<int>(state.run->textTokens().size())))
        return QStringLiteral("the rows of the %1 side's maps are not its tokens or blocks")
            .arg(nameOf(side));
    return {};
}

QString brokenRange(const control::Explorer& explorer)
{
    const auto exists = [&](HeadId head) {
        return std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
            const control::SideState& state = explorer.state(side);
            return !state.run || state.run->after.heads.contains(head);
        });
    };
    if (explorer.currentHead() && !exists(*explorer.currentHead()))
        return QStringLiteral("the current head is one that no model has");
    if (!std::all_of(explorer.selection().begin(), explorer.selection().end(), exists))
        return QStringLiteral("a head is selected that no model has");
    const control::Document& document = explorer.document();
    for (const auto* const position : {&document.key, &document.query, &document.position}) {
        if (!*position)
            continue;
        const bool isInside = std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
            const control::SideState& state = explorer.state(side);
            return !state.problem.isEmpty() || !state.run ||
                   **position < std::ssize(position == &document.position ? state.run->textTokens()
                                                                          : state.run->tokens);
        });
        if (!isInside)
            return QStringLiteral("a position is pinned that the prompt does not have");
    }
    return {};
}

/// No tab is ticked whose dock is folded; grids that are alone have no menus above them.
QString brokenDocks(window::MainWindow& window)
{
    for (const QDockWidget* const dock : window.tabs().docks())
        if (window.tabs().tabOf(*dock)->isChecked() && dock->isHidden())
            return QStringLiteral("the tab of %1 is ticked, but the dock is folded").arg(dock->windowTitle());
    if (window.isVisible() && window.menuWidget()->isVisible() == window.docks().isAlone())
        return QStringLiteral("the menus are not shown as the grids alone ask for");
    return {};
}

/// Where there is no model, the start page says what to do; elsewhere it stands only if it was asked for.
QString brokenStart(window::MainWindow& window)
{
    const control::Explorer& explorer = window.explorer();
    const start::StartPage& page = window.startPage();
    bool isNeeded = page.isAsked();
    for (const Side side : kSides)
        isNeeded = isNeeded || (explorer.document().side(side).model.isEmpty() &&
                                control::isShown(explorer.document().arrangement, side));
    if (isNeeded && page.isHidden())
        return QStringLiteral("a side has no model, and nothing says what to do");
    if (!page.isHidden() && !page.covers(Side::Left) && !page.covers(Side::Right))
        return QStringLiteral("the start page covers grids that have a model");
    if (window.tour().isRunning() == window.tour().card().isHidden())
        return QStringLiteral("the tour's card is not shown as the tour is");
    return {};
}

}  // namespace

QString brokenLaw(window::MainWindow& window)
{
    const control::Document& document = window.explorer().document();
    return firstOf(brokenHistory(window), brokenGrid(window, Side::Left), brokenGrid(window, Side::Right),
                   brokenLayout(window, Side::Left), brokenLayout(window, Side::Right),
                   brokenToggles(window, window.explorer()), brokenSwitches(window, document),
                   brokenDocks(window), brokenStart(window),
                   brokenChoice(window, document.arrangement,
                                {{"Automatic", control::Arrangement::Automatic},
                                 {"Side by side", control::Arrangement::SideBySide},
                                 {"Stacked", control::Arrangement::Stacked},
                                 {"Left alone", control::Arrangement::LeftOnly},
                                 {"Right alone", control::Arrangement::RightOnly}}),
                   brokenChoice(window, document.tiles,
                                {{"Weights", control::TileValue::Weights},
                                 {"Weights × values", control::TileValue::ValueWeighted},
                                 {"Scores", control::TileValue::Scores},
                                 {"Right − left", control::TileValue::BetweenSides},
                                 {"After − before ablation", control::TileValue::AfterAblation},
                                 {"Since the kept run", control::TileValue::SinceKept}}),
                   brokenChoice(window, document.look.scale,
                                {{"Square root", render::Scale::SquareRoot},
                                 {"Logarithmic", render::Scale::Logarithmic}}));
}

QString brokenLawAtRest(window::MainWindow& window)
{
    const control::Explorer& explorer = window.explorer();
    return firstOf(brokenTexts(window), brokenRun(explorer, Side::Left), brokenRun(explorer, Side::Right),
                   brokenRange(explorer));
}

}  // namespace hs::test
