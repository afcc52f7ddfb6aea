#pragma once

#include "panels/analyses/lens/lens_model.h"

#include <QTableView>

#include <optional>

namespace hs::panels {

class LensHeader;

/// One side's lens. Above its columns stand the prompt's tokens, in a colour for what they do for the target's logit
/// where that is known. Points and clicks are about positions.
class LensTable : public QTableView {
    Q_OBJECT

public:
    explicit LensTable(QWidget* parent = nullptr);

    const LensModel& lens() const { return *m_lens; }
    /// Scrolls to the last position if it has another number of them.
    void setContent(const LensContent& content);
    void setColours(const render::ColourMap& colours, bool isDimmed);
    /// The pinned position.
    void setMark(std::optional<int> position);

    /// What the pointer or, without one, the keyboard is on; invalid: nothing.
    QModelIndex pointed() const { return m_pointed; }

    QSize minimumSizeHint() const override { return {160, 80}; }

Q_SIGNALS:
    void pointedChanged();
    void positionPicked(int position);

protected:
    bool viewportEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void fit();
    void pointAt(const QModelIndex& index);

    LensModel* m_lens;
    LensHeader* m_header;
    QPersistentModelIndex m_pointed;
};

}  // namespace hs::panels
