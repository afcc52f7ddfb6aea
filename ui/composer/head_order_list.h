#pragma once

#include "base/head_id.h"

#include <QListWidget>

#include <set>
#include <vector>

namespace hs::composer {

/// Heads in drawing order, which can be changed by dragging. Alt+Up and Alt+Down move the selected ones,
/// Delete removes them.
class HeadOrderList : public QListWidget {
    Q_OBJECT

public:
    explicit HeadOrderList(QWidget* parent = nullptr);

    /// Heads that are not drawn are greyed, ablated ones struck out.
    void setHeads(const std::vector<HeadId>& heads, const std::set<HeadId>& undrawn,
                  const std::set<HeadId>& ablated);
    std::vector<HeadId> heads() const;
    void removeSelected();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, 72}; }

Q_SIGNALS:
    void reordered();  // by the user, removals included

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moveSelected(int step);
    void paintItems();

    bool m_isDropping = false;  // several rows may move at once
    std::set<HeadId> m_undrawn;
    std::set<HeadId> m_ablated;
};

}  // namespace hs::composer
