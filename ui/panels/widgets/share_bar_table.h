#pragma once

#include <QTableView>

namespace hs::panels {

class ShareBarDelegate;

/// A table of names and bars: the first column is as wide as its names need, the others share the
/// rest, and rows are as high as ShareBarDelegate wants them at that width.
class ShareBarTable : public QTableView {
    Q_OBJECT

public:
    /// `widest` is the widest text of a cell with a bar.
    ShareBarTable(QAbstractItemModel* model, const QString& widest, QWidget* parent);

    /// Faint while something newer is on its way; unlike a disabled table it keeps the focus.
    void setDimmed(bool isDimmed);
    bool isDimmed() const { return m_isDimmed; }

    /// After the model, its names or which columns are shown have changed.
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
