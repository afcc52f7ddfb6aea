#pragma once

#include "control/explorer/explorer.h"

#include <QObject>

class QMenu;
class QWidget;

namespace hs::window {

class DocumentChoices;

/// Entries for one side's model: opening one, its gate, its relation to the other side.
class ModelMenu : public QObject {
    Q_OBJECT

public:
    ModelMenu(control::Explorer& explorer, Side side, QMenu& menu, DocumentChoices& choices);

    /// The submenu of recent models, in this order.
    void setRecent(const QStringList& sources);

Q_SIGNALS:
    void openFolderRequested(Side side);
    void openFileRequested(Side side);
    void openNameRequested(Side side);

private:
    void addGate(DocumentChoices& choices);
    void askForBias();
    void fillRecent();

    control::Explorer& m_explorer;
    Side m_side;
    QMenu& m_menu;
    QMenu* m_recent;        // filled when it opens
    QStringList m_sources;  // of the recent models
};

}  // namespace hs::window
