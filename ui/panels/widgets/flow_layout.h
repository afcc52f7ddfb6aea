#pragma once

#include <QLayout>

#include <vector>

namespace hs::panels {

/// Puts widgets in a row and continues in the next row where the width ends, so that a panel can be as narrow
/// as its widest widget.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(int gap, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { m_items.push_back(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool isDry) const;  // returns the height

    std::vector<QLayoutItem*> m_items;
    int m_gap;
};

}  // namespace hs::panels
