#pragma once

#include <QObject>

class QWidget;

namespace hs::composer {

/// Text fields have a history of their own and keep Ctrl+Z for it; with this, undo and redo in any
/// field of a window act on the document's history.
class HistoryKeys : public QObject {
    Q_OBJECT

public:
    /// Watches the fields that are in the window now.
    explicit HistoryKeys(QWidget& window);

protected:
    bool eventFilter(QObject* field, QEvent* event) override;
};

}  // namespace hs::composer
