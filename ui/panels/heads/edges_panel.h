#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSlider;
class QSortFilterProxyModel;
class QSpinBox;

namespace hs::panels {

class EdgeTable;
class ShareBarTable;

/// "All heads mapping key k to query q": the heads of both sides whose weight on the pinned cell reaches a
/// threshold. Selecting rows selects tiles, and vice versa.
class EdgesPanel : public QWidget {
    Q_OBJECT

public:
    explicit EdgesPanel(control::Explorer& explorer, QWidget* parent = nullptr);
    ~EdgesPanel() override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QSpinBox* newPosition(const QString& name, const QString& accessibleName,
                          std::optional<int> control::Document::* field);
    QLabel* newToken(const QString& name);
    QWidget* newSetup();
    void compose();
    void connectParts();

    void refresh();
    void showPins();
    void showRows();
    void showSelection();
    void takeSelection();
    /// Why there is no list; empty if there is one.
    QString emptyText() const;
    QString countText() const;

    control::Explorer& m_explorer;
    EdgeTable* m_model;
    QSortFilterProxyModel* m_sorted;
    QLabel* m_heading;
    QSpinBox* m_key = nullptr;
    QSpinBox* m_query = nullptr;
    QLabel* m_keyToken = nullptr;
    QLabel* m_queryToken = nullptr;
    QSlider* m_threshold = nullptr;
    QLabel* m_thresholdValue = nullptr;
    QLabel* m_count;
    ShareBarTable* m_table;
    QLabel* m_empty;
    QPushButton* m_selectAll;
    std::array<std::shared_ptr<const std::vector<float>>, 2> m_weights;  // [Side][layer * head]
    std::array<HeadShape, 2> m_shapes;                                   // [Side]
    bool m_isShowing = false;
};

}  // namespace hs::panels
