#pragma once

#include "control/explorer.h"

#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace hs {

/// Menu entries that show and set a part of the document: each is ticked while what it stands for
/// holds, and choosing it is one step that can be undone.
class DocumentChoices : public QObject {
    Q_OBJECT

public:
    using Holds = std::function<bool(const Document&)>;
    using Choose = std::function<void(Document&)>;

    DocumentChoices(Explorer& explorer, QObject* parent);

    QAction* add(QMenu* menu, const QString& text, Holds holds, Choose choose,
                 const QKeySequence& shortcut = {});

private:
    struct Choice {
        QAction* action;
        Holds holds;
    };

    void refresh();

    Explorer& m_explorer;
    std::vector<Choice> m_choices;
};

}  // namespace hs
