#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QAction;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hs::panels {

class MetricsModel;
class MetricsOrder;
class MetricsTable;

/// All heads' metrics on both sides, one row per head. Rows and tiles are selected together; the filter is
/// the document's; the grids can be ordered by the sorted column.
class MetricsPanel : public QWidget {
    Q_OBJECT

public:
    explicit MetricsPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Writes the rows and columns shown; reports a failure in the message bar.
    void exportCsv(const QString& file);

    QSize sizeHint() const override { return {800, 240}; }
    QSize minimumSizeHint() const override { return {280, 160}; }

Q_SIGNALS:
    void openRequested(hs::HeadId head);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Choice { LeftOnly, Both, RightOnly };

    void makeActions();
    QLayout* newToolbar();
    QPushButton* newMenuButton();
    void connectParts();

    void refresh();
    void refreshFilter();
    void updateSides();
    void updateActions();

    void orderGrids(const QString& metric, bool isAscending);
    void backToMatrix();
    void copy();
    void chooseExportFile();

    control::Explorer& m_explorer;
    MetricsModel* m_model;
    MetricsOrder* m_order;
    MetricsTable* m_table;
    QLineEdit* m_filter;
    QLabel* m_problem;
    QLabel* m_count;
    QButtonGroup* m_choice;
    QAction* m_orderAction;
    QAction* m_matrixAction;
    QAction* m_copyAction;
    QAction* m_exportAction;
    std::array<std::shared_ptr<const control::SideRun>, 2> m_runs;  // [Side], in the table
    std::optional<QString> m_filtered;                              // the filter applied to the rows
};

}  // namespace hs::panels
