#include "window/head_actions.h"

#include "service/command_words.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QWidget>

#include <algorithm>

namespace hs::window {
namespace {

QString namesOf(const std::set<HeadId>& heads)
{
    QStringList names;
    for (const HeadId head : heads)
        names << QString::fromStdString(toString(head));
    return names.join(QStringLiteral(","));
}

std::set<HeadId> without(std::set<HeadId> heads, const std::set<HeadId>& removed)
{
    std::erase_if(heads, [&removed](HeadId head) { return removed.contains(head); });
    return heads;
}

}  // namespace

HeadActions::HeadActions(control::Explorer& explorer, QWidget& grids, QWidget* window)
    : QObject(window), m_explorer(explorer), m_window(window)
{
    const auto side = [this] { return m_explorer.activeSide(); };
    const auto shown = [this, side] {
        const std::vector<HeadId> heads = m_explorer.shownHeads(side());
        return std::set<HeadId>(heads.begin(), heads.end());
    };
    m_ablating = {
        make(tr("&Ablate"), tr("Ctrl+B"), [this, side] { m_explorer.setAblated(side(), targets(), true); }),
        make(tr("&Restore"), tr("Ctrl+Shift+B"),
             [this, side] { m_explorer.setAblated(side(), targets(), false); }),
        make(tr("&Keep alone, ablate all others"), tr("Ctrl+K"),
             [this, side] { m_explorer.keepOnly(side(), targets()); }),
    };
    m_onHeads = {
        make(tr("&Open in inspector"), {}, [this] { Q_EMIT openRequested(*targets().begin()); }),
        m_ablating[0],
        m_ablating[1],
        m_ablating[2],
        make(tr("&Hide"), tr("Ctrl+H"), [this] { hideTargets(); }),
        make(tr("Show as a &list"), tr("Ctrl+Shift+L"), [this] { showAsList(); }),
        make(tr("Copy the run as a co&mmand"), {}, [this] { copyAsCommand(); }),
        make(tr("&Copy names"), QKeySequence::Copy, [this] { copyAsText(); }),
    };
    m_selecting = {
        make(tr("Select &all heads"), QKeySequence::SelectAll, [this, shown] { m_explorer.select(shown()); }),
        make(tr("Select &none"), tr("Ctrl+Shift+A"), [this] { m_explorer.select({}); }),
        make(tr("&Invert selection"), tr("Ctrl+I"),
             [this, shown] { m_explorer.select(without(shown(), m_explorer.selection())); }),
        make(tr("Select &matching the filter"), tr("Ctrl+Shift+F"),
             [this, side] { m_explorer.select(m_explorer.matchingHeads(side())); }),
    };
    for (QAction* const action : {m_onHeads.back(), m_selecting.front()}) {
        m_window->removeAction(action);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        grids.addAction(action);
    }
    connect(&explorer, &control::Explorer::selectionChanged, this, &HeadActions::refresh);
    connect(&explorer, &control::Explorer::currentChanged, this, &HeadActions::refresh);
    connect(&explorer, &control::Explorer::stateChanged, this, &HeadActions::refresh);
    refresh();
}

void HeadActions::addTo(QMenu* menu) const
{
    menu->setToolTipsVisible(true);
    menu->addActions(m_onHeads);
    menu->addSeparator();
    menu->addActions(m_selecting);
}

QAction* HeadActions::make(const QString& text, const QKeySequence& shortcut, std::function<void()> act)
{
    auto* const action = new QAction(text, this);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, std::move(act));
    m_window->addAction(action);
    return action;
}

std::set<HeadId> HeadActions::targets() const
{
    std::set<HeadId> selected = m_explorer.selection(m_explorer.activeSide());
    if (selected.empty() && m_explorer.currentHead())
        selected.insert(*m_explorer.currentHead());
    return selected;
}

void HeadActions::refresh()
{
    for (QAction* const action : std::as_const(m_onHeads))
        action->setEnabled(!targets().empty());
    const QString reason = m_explorer.whyNoRun(m_explorer.activeSide());
    for (QAction* const action : std::as_const(m_ablating)) {
        action->setEnabled(action->isEnabled() && reason.isEmpty());
        action->setToolTip(reason);
        action->setStatusTip(reason);
    }
}

void HeadActions::hideTargets()
{
    const Side side = m_explorer.activeSide();
    const std::set<HeadId> heads = targets();
    m_explorer.edit(tr("Hide %n head(s)", nullptr, static_cast<int>(heads.size())),
                    [&](control::Document& document) {
                        document.side(side).grid.hidden.insert(heads.begin(), heads.end());
                    });
    m_explorer.select({});
}

void HeadActions::showAsList()
{
    const Side side = m_explorer.activeSide();
    const std::set<HeadId> heads = targets();
    m_explorer.edit(tr("List %n head(s)", nullptr, static_cast<int>(heads.size())),
                    [&](control::Document& document) {
                        control::GridChoice& grid = document.side(side).grid;
                        grid.form = control::GridChoice::Form::List;
                        grid.list.assign(heads.begin(), heads.end());
                        grid.order.clear();
                        grid.hidden.clear();
                    });
}

void HeadActions::copyAsText() const
{
    QGuiApplication::clipboard()->setText(namesOf(targets()));
}

void HeadActions::copyAsCommand() const
{
    const auto& run = m_explorer.state(m_explorer.activeSide()).run;
    if (!run)
        return;
    const Result<std::string> line = service::commandOf(run->request);
    if (line)
        QGuiApplication::clipboard()->setText(QString::fromStdString(*line));
    else
        Q_EMIT m_explorer.messageRaised(
            {control::Message::Kind::Error, QString::fromStdString(line.error().message), {}});
}

}  // namespace hs::window
