#include "ui/monkey/monkey.h"

#include "control/explorer/explorer.h"
#include "control/session/session.h"
#include "support/catch.h"
#include "ui/monkey/hands.h"
#include "ui/monkey/window_laws.h"
#include "window/message_bar.h"

#include <QFileDialog>
#include <QThread>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace hs::test {
namespace {

constexpr std::size_t kStoryLength = 15;
constexpr int kActionsInside = 6;
constexpr int kActionsBetweenWalks = 200;
constexpr int kLongHistory = 800;  // the window keeps a thousand steps

/// The document without what the models shown cannot have: it may name heads and positions that only other
/// models or prompts have, and loses them once its own have loaded.
control::Document settled(control::Document document, const control::Explorer& explorer)
{
    int tokens = 0;
    for (const Side side : kSides) {
        const control::SideState& state = explorer.state(side);
        if (!state.problem.isEmpty())
            continue;  // another model, or the run of another prompt, is still shown
        if (state.model)
            std::erase_if(document.side(side).ablations, [&](const auto& ablation) {
                return !state.model->heads.containsUnit(ablation.first);
            });
        if (state.run)
            tokens = std::max(tokens, static_cast<int>(state.run->tokens.size()));
    }
    for (std::optional<int>* const position : {&document.key, &document.query, &document.position})
        if (tokens > 0 && *position && **position >= tokens)
            position->reset();
    return document;
}

QString textOf(const control::Document& document)
{
    control::Session session;
    session.document = document;
    return QString::fromStdString(control::writeSession(session, "/session.headscope"));
}

QString stepsOf(const QUndoStack& history)
{
    QString steps;
    for (int step = 0; step < history.count(); ++step)
        steps += QStringLiteral("\n  step %1: %2").arg(step).arg(history.text(step));
    return steps;
}

/// The lines in which two documents differ.
QString difference(const control::Document& wanted, const control::Document& got)
{
    const QStringList before = textOf(wanted).split(QLatin1Char('\n'));
    const QStringList after = textOf(got).split(QLatin1Char('\n'));
    QString lines;
    for (const QString& line : before)
        if (!after.contains(line))
            lines += QStringLiteral("\n  - ") + line;
    for (const QString& line : after)
        if (!before.contains(line))
            lines += QStringLiteral("\n  + ") + line;
    return lines;
}

}  // namespace

Monkey::Monkey(Stage& stage, unsigned seed) : m_stage(stage), m_seed(seed), m_plan(seed)
{
    Stage::waitFor([this] { return m_stage.isAtRest(); });
    followHistory();
    TimedApplication::instance().takeLongest();
}

std::string Monkey::act(int actions)
{
    m_wanted = m_done + actions;
    for (int walk = 0; m_done < m_wanted && m_problem.empty();) {
        step();
        while (isInterrupted() && (m_done >= m_wanted || !m_problem.empty()))
            leave(0);
        if (m_problem.empty() && m_done / kActionsBetweenWalks > walk && !isInterrupted()) {
            walk = m_done / kActionsBetweenWalks;
            attended([this] { walkHistory(); });
        }
    }
    if (m_problem.empty())
        attended([this] { walkHistory(); });
    return m_problem;
}

void Monkey::step()
{
    const MonkeyAction action = m_plan.next();
    ++m_done;
    m_story.push_back(std::to_string(m_done) + ": " + describe(action));
    if (m_story.size() > kStoryLength)
        m_story.pop_front();
    INFO("seed " << m_seed << ", action " << m_story.back());  // shown if it crashes

    attended([&] {
        perform(action);
        if (QThread::currentThread()->loopLevel() == 0 && m_stage.reopenIfClosed())
            followHistory();
        check(action);
    });
}

/// Runs `act`, which returns only once any dialog that it opens has been closed.
void Monkey::attended(const std::function<void()>& act)
{
    const int level = QThread::currentThread()->loopLevel();
    int visits = 0;
    QTimer look;
    connect(&look, &QTimer::timeout, this, [&] {
        if (QThread::currentThread()->loopLevel() > level)
            liveInside(visits++);
    });
    look.start(1);
    act();
}

void Monkey::liveInside(int visit)
{
    const TimedApplication::Aside aside;
    for (int count = 0;
         visit == 0 && count < kActionsInside && isInterrupted() && m_done < m_wanted && m_problem.empty();
         ++count) {
        // Not at random: monkeys must not do to files what a file dialog can.
        if (auto* const files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget()))
            return answerFileDialog(*files);
        step();
    }
    leave(visit);
}

bool Monkey::isInterrupted() const
{
    return QApplication::activePopupWidget() || QApplication::activeModalWidget();
}

void Monkey::leave(int visit)
{
    static constexpr int kPatience = 1000;
    QWidget* const popup = QApplication::activePopupWidget();
    QWidget* const modal = QApplication::activeModalWidget();
    Hands hands(m_stage.window());
    if (visit > kPatience)
        qFatal("seed %u, action %d: a dialog or menu cannot be left", m_seed, m_done);
    if (popup)
        popup->close();
    else if (modal)
        modal->close();
    else if (visit % 2 == 0)
        hands.key(Qt::Key_Escape);
    else
        hands.letGo();
}

void Monkey::check(const MonkeyAction& action)
{
    if (!m_problem.empty())
        return;
    noteLongest(action);
    fail(Stage::takeComplaint());
    fail(brokenLaw(m_stage.window()));
    if (!action.isHasty) {
        QString broken;
        const bool isFine = Stage::waitFor([&] {
            broken = m_stage.isAtRest() ? brokenLawAtRest(m_stage.window())
                                        : QStringLiteral("the window does not come to rest");
            return broken.isEmpty();
        });
        if (!isFine)
            fail(broken);
        fail(brokenLaw(m_stage.window()));
        noteLongest(action);
        // Whether a note has disappeared by now would shift everything below it.
        if (window::MessageBar& messages = m_stage.window().messages(); messages.leavesByItself())
            messages.dismiss();
    }
    if (m_isFresh)
        m_starts = {m_stage.explorer().document()};
}

void Monkey::noteLongest(const MonkeyAction& action)
{
    TimedApplication::Longest longest = TimedApplication::instance().takeLongest();
    longest.what += ", action " + std::to_string(m_done) + ": " + describe(action);
    if (longest.milliseconds > m_longest.milliseconds)
        m_longest = longest;
}

/// Another document may be loaded and changed within one action: its history begins with what was there
/// before the first step.
void Monkey::followHistory()
{
    control::Explorer& explorer = m_stage.explorer();
    const QUndoStack& history = explorer.history();
    m_starts = {explorer.document()};
    m_isFresh = history.count() == 0;
    connect(&explorer, &control::Explorer::documentChanged, this, [this, &explorer] {
        if (m_isFresh)
            m_starts.push_back(explorer.document());
    });
    connect(&history, &QUndoStack::indexChanged, this, [this, &explorer, &history] {
        const bool isFirstStep = std::exchange(m_isFresh, history.count() == 0) && history.count() == 1;
        if (isFirstStep)
            m_starts.pop_back();  // the document after the step
        else if (m_isFresh)
            m_starts = {explorer.document()};  // steps that cancel out are gone, or another document follows
    });
}

void Monkey::walkHistory()
{
    const TimedApplication::Aside aside;
    control::Explorer& explorer = m_stage.explorer();
    QUndoStack& history = explorer.history();
    const auto isAtRest = [this] {
        return m_stage.isAtRest() && brokenLawAtRest(m_stage.window()).isEmpty();
    };
    if (!Stage::waitFor(isAtRest))
        return fail(QStringLiteral("the window does not come to rest before all is undone"));
    const control::Document end = explorer.document();
    const int steps = history.index();
    while (history.canUndo())
        history.undo();
    if (!Stage::waitFor(isAtRest))
        fail(QStringLiteral("the window does not come to rest after all is undone"));
    if (std::ranges::none_of(m_starts, [&](const control::Document& start) {
            return settled(start, explorer) == explorer.document();
        }))
        fail(QStringLiteral("undoing all %1 steps does not lead to the first document").arg(steps) +
             difference(settled(m_starts.back(), explorer), explorer.document()) + stepsOf(history));
    while (history.index() < steps)
        history.redo();
    if (!Stage::waitFor(isAtRest))
        fail(QStringLiteral("the window does not come to rest after all is done again"));
    if (explorer.document() != end)
        fail(QStringLiteral("doing all %1 steps again does not lead to the last document").arg(steps) +
             difference(end, explorer.document()) + stepsOf(history));
    if (history.count() > kLongHistory)
        explorer.reset(explorer.document());
    TimedApplication::instance().takeLongest();
}

void Monkey::fail(const QString& problem)
{
    if (problem.isEmpty() || !m_problem.empty())
        return;
    m_problem = problem.toStdString() + "\nseed " + std::to_string(m_seed) + ", action " +
                std::to_string(m_done) + "; the last actions:";
    for (const std::string& action : m_story)
        m_problem += "\n  " + action;
}

}  // namespace hs::test
