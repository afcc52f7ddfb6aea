#pragma once

#include "control/document/document.h"
#include "ui/monkey/monkey_plan.h"
#include "ui/monkey/stage.h"
#include "ui/timed_application.h"

#include <QObject>

#include <deque>
#include <functional>
#include <string>
#include <vector>

class QFileDialog;

namespace hs::test {

/// Performs its plan on the window and on the dialogs and menus that open on the way, and checks after each
/// action that everything still holds. Stops at the first thing that does not.
class Monkey : public QObject {
public:
    Monkey(Stage& stage, unsigned seed);

    /// What went wrong: the broken law, the seed, the action's number and the actions before it; empty:
    /// nothing.
    std::string act(int actions);

    /// The event that blocked the UI thread longest, and the action at that time.
    const TimedApplication::Longest& longest() const { return m_longest; }

private:
    void step();
    void perform(const MonkeyAction& action);
    void performOnWindow(const MonkeyAction& action);
    void type(const MonkeyAction& action);
    void exportSomething(const MonkeyAction& action);
    void showDock(const MonkeyAction& action);

    void attended(const std::function<void()>& act);
    /// In the event loop of a dialog or menu: continues in there on the first visit, then leaves.
    void liveInside(int visit);
    void answerFileDialog(QFileDialog& dialog);
    void leave(int visit);

    void check(const MonkeyAction& action);
    void noteLongest(const MonkeyAction& action);
    void walkHistory();
    void followHistory();
    void fail(const QString& problem);
    bool isInterrupted() const;  // a popup or dialog has the keyboard
    QWidget& target(const MonkeyAction& action);

    Stage& m_stage;
    unsigned m_seed;
    MonkeyPlan m_plan;
    int m_done = 0;
    int m_wanted = 0;
    /// Documents that undoing everything may lead to: those that the first step's action went through before
    /// its final one.
    std::vector<control::Document> m_starts;
    bool m_isFresh = true;  // there is no step yet
    std::string m_problem;
    std::deque<std::string> m_story;  // the last actions
    TimedApplication::Longest m_longest;
};

}  // namespace hs::test
