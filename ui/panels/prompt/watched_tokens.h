#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QLabel;

namespace hs::panels {

class TargetFields;

/// The two tokens the user watches: fields to name them, their logits on both sides before → after ablation,
/// and the difference.
class WatchedTokens : public QWidget {
    Q_OBJECT

public:
    explicit WatchedTokens(control::Explorer& explorer, QWidget* parent = nullptr);

private:
    enum Row { Target, Distractor, LogitDifference };

    void compose();
    void showRuns();

    control::Explorer& m_explorer;
    TargetFields* m_fields;
    QWidget* m_readings = nullptr;
    std::array<QLabel*, 2> m_titles = {};                 // [Side]
    std::array<QLabel*, 3> m_names = {};                  // [Row]
    std::array<std::array<QLabel*, 2>, 3> m_values = {};  // [Row][Side]
    QLabel* m_problem;
};

}  // namespace hs::panels
