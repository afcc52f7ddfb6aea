#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;

namespace hs::panels {

class PredictionTable;
class ShareBarTable;
class WatchedTokens;

/// What both sides predict after a token, before and after ablation.
class PredictionsPanel : public QWidget {
    Q_OBJECT

public:
    explicit PredictionsPanel(control::Explorer& explorer, QWidget* parent = nullptr);
    ~PredictionsPanel() override;

    /// What can be done with a row of the table. The caller owns it.
    QMenu* newMenu(int row);

private:
    void compose();
    void refresh();
    void showPlace();
    void watch(int row, QString control::Document::* field);

    control::Explorer& m_explorer;
    PredictionTable* m_model;
    QLabel* m_heading;
    QLabel* m_place;
    QLabel* m_legend;
    QPushButton* m_toEnd;
    ShareBarTable* m_table;
    QLabel* m_empty;
    WatchedTokens* m_watched;
};

}  // namespace hs::panels
