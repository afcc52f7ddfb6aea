#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;

namespace hs::panels {

/// Fields for the document's target and the token it is compared with. Typed text is committed when the field
/// is left, and after a pause if prompts run as they are typed.
class TargetFields : public QWidget {
    Q_OBJECT

public:
    explicit TargetFields(control::Explorer& explorer, QWidget* parent = nullptr);

private:
    void compose();
    void showDocument();
    void commit();
    void finish();

    control::Explorer& m_explorer;
    QLineEdit* m_target;
    QLineEdit* m_distractor;
    QTimer m_pause;
    int m_typing = 0;       // separates the undo steps of typing
    QString m_shownTarget;  // the document's as last seen
    QString m_shownDistractor;
};

}  // namespace hs::panels
