#pragma once

#include "control/explorer/explorer.h"
#include "start/model_rows.h"

#include <QWidget>

#include <functional>

class QLabel;
class QListView;
class QPushButton;
class QToolButton;

namespace hs::control {
class LateWork;
}

namespace hs::grid {
class HeadGrids;
}

namespace hs::start {

class ModelRowDelegate;

/// The models that can be opened here, in place of the grids that have none, or over both when it is asked for.
/// Says why a model could not be opened and what to do. A child of the grids; lives on the UI thread.
class StartPage : public QWidget {
    Q_OBJECT

public:
    /// `recent` names the models opened last. Without `find` the list stays empty.
    StartPage(control::Explorer& explorer, grid::HeadGrids& grids, FindModels find,
              std::function<QStringList()> recent);

    /// Shows it over both grids until a model is chosen or it is closed.
    void ask();
    void leave();
    bool isAsked() const { return m_isAsked; }
    /// Whether it stands in place of a side's grid.
    bool covers(Side side) const;
    /// Where a click opens a model.
    Side target() const;
    /// What it says about a model that could not be opened; empty if nothing failed.
    QString problem() const;

    const ModelRows& rows() const { return *m_rows; }
    /// Names of those models of the download cache that can be opened.
    QStringList downloaded() const;
    /// Looks for models, on another thread.
    void search();
    /// Opens a line's model, the demo pair on both sides.
    void open(const QModelIndex& line, std::optional<Side> side);

Q_SIGNALS:
    void folderWanted(Side side);
    void fileWanted(Side side);
    void nameWanted(Side side);
    void farWanted(Side side);
    void guideWanted(const QString& page);
    void listed();
    void closed();  // nothing was chosen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void compose();
    QWidget* newHead();
    QWidget* newProblemBox();
    QWidget* newFoot();
    void refresh();
    void place();
    void showWords();
    bool openByKey(int key);
    bool lacksModel(Side side) const;
    QString whereOpen(const model::FoundModel& model) const;

    control::Explorer& m_explorer;
    grid::HeadGrids& m_grids;
    FindModels m_find;
    std::function<QStringList()> m_recent;
    control::LateWork* m_work;
    ModelRows* m_rows;
    QListView* m_list;
    ModelRowDelegate* m_delegate;
    QLabel* m_title;
    QLabel* m_hint;
    QToolButton* m_close;
    QWidget* m_problemBox;
    QLabel* m_problem;
    bool m_isAsked = false;
};

}  // namespace hs::start
