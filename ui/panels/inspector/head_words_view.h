#pragma once

#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"

#include <QTextBrowser>

namespace hs::panels {

/// What the current head writes and looks for, in words: on this prompt, in the pinned cell or at the last position,
/// and by its weights alone. Asked for only while visible.
class HeadWordsView : public QTextBrowser {
    Q_OBJECT

public:
    explicit HeadWordsView(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {400, 200}; }
    QSize minimumSizeHint() const override { return {160, 80}; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void refresh();
    QString wordsOf(Side side) const;

    control::Explorer& m_explorer;
};

}  // namespace hs::panels
