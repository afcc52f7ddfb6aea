#pragma once

#include "control/explorer.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace hs {

/// The document's prompt and, to be typed, the corrupted one beside it; says how many tokens they have
/// for the models that are open, and what to do where that differs.
class PromptPair : public QWidget {
    Q_OBJECT

public:
    explicit PromptPair(Explorer& explorer, QWidget* parent = nullptr);
    ~PromptPair() override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void compose();
    void commit();
    void showDocument();
    void showCounts();
    void showClean();

    Explorer& m_explorer;
    QLabel* m_clean;
    QLineEdit* m_corrupted;
    QLabel* m_counts;
    QTimer m_pause;
    int m_typing = 0;  // separates the undo steps of typing
    QString m_shown;   // the document's corrupted prompt as last seen
};

}  // namespace hs
