#pragma once

#include <QTableView>

namespace hs::panels {

class ShareBarDelegate;

/// A table of names and bars: the first column is as wide as its names need, the others share the rest, and
/// rows have the height that ShareBarDelegate needs at that width.
class ShareBarTable : public QTableView {
    Q_OBJECT

public:
    /// `widest` is the widest text of a cell with a bar.
    ShareBarTable(QAbstractItemModel* model, const QString& widest, QWidget* parent);

    /// Faint until something newer arrives; unlike a disabled table it keeps the focus.
    void setDimmed(bool isDimmed);
    bool isDimmed() const { return m_isDimmed; }

    /// Call it after the model, its names or the shown columns have changed.
    void fit();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int nameWidth() const;

    ShareBarDelegate* m_delegate;
    bool m_isDimmed = false;
};

}  // namespace hs::panels
