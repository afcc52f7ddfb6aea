#pragma once

#include "control/explorer.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace hs {

/// The two tokens the user watches: lines to name them, their logits on both sides before → after
/// ablation, and the difference.
class WatchedTokens : public QWidget {
    Q_OBJECT

public:
    explicit WatchedTokens(Explorer& explorer, QWidget* parent = nullptr);
    ~WatchedTokens() override;

private:
    enum Row { Target, Distractor, LogitDifference };

    void compose();
    void showDocument();
    void showRuns();
    void commit();

    Explorer& m_explorer;
    QLineEdit* m_target;
    QLineEdit* m_distractor;
    QWidget* m_readings = nullptr;
    std::array<QLabel*, 2> m_titles = {};                 // [Side]
    std::array<QLabel*, 3> m_names = {};                  // [Row]
    std::array<std::array<QLabel*, 2>, 3> m_values = {};  // [Row][Side]
    QLabel* m_problem;
    QTimer m_pause;
    int m_typing = 0;       // separates the undo steps of typing
    QString m_shownTarget;  // the document's as last seen
    QString m_shownDistractor;
};

}  // namespace hs
