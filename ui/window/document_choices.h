#pragma once

#include "control/explorer/explorer.h"

#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace hs::window {

/// Menu entries that show and set a part of the document: each is ticked while its choice holds, and choosing
/// it is one undoable step.
class DocumentChoices : public QObject {
    Q_OBJECT

public:
    using Holds = std::function<bool(const control::Document&)>;
    using Choose = std::function<void(control::Document&)>;
    using Act = std::function<void(control::Explorer&)>;

    DocumentChoices(control::Explorer& explorer, QObject* parent);

    /// Why an entry cannot be chosen now; empty: it can.
    using Problem = std::function<QString(const control::Explorer&)>;

    /// An entry with a problem is disabled and says so in its tool tip.
    QAction* add(QMenu* menu, const QString& text, Holds holds, Choose choose,
                 const QKeySequence& shortcut = {}, Problem problem = {});
    /// An entry that does something beside the document, and is never ticked.
    QAction* addAct(QMenu* menu, const QString& text, Act act, const QKeySequence& shortcut, Problem problem);

private:
    struct Choice {
        QAction* action;
        Holds holds;  // empty: an act
        Problem problem;
    };

    void refresh();
    void show(const Choice& choice);

    control::Explorer& m_explorer;
    std::vector<Choice> m_choices;
};

}  // namespace hs::window
