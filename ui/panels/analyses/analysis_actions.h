#pragma once

#include "control/explorer/explorer.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/analysis_edits.h"
#include "panels/widgets/picture_file.h"

#include <QMenu>

#include <functional>
#include <string>

namespace hs::panels {

class PlotFrame;

/// What can be done with an analysis' result: use it to order, filter and annotate the grids, to choose which
/// heads run, and export it to files and figures. Acts on both sides at once if both have a result, in one
/// undo step each. Fills itself when it opens.
class AnalysisActions : public QMenu {
    Q_OBJECT

public:
    /// What the panel knows about its result.
    struct Source {
        std::function<SideHeads()> ranked;  // all, most important first
        std::function<SideHeads()> chosen;  // "these heads"
        std::function<figures::DataTable()> table;
        std::function<std::string()> json;                  // the whole result
        std::function<std::array<std::string, 2>()> drawn;  // [Side] what a figure draws as it is
    };

    AnalysisActions(control::Explorer& explorer, service::AnalysisKind kind, Source source, QWidget* parent);

    /// A plot that can be exported; `title` names it in the menu.
    void addPlot(PlotFrame& plot, const QString& title);
    /// As above, for a picture drawn by a widget of another kind.
    void addPicture(const QWidget& picture, const QString& title, Paint paint);
    void fill();

    /// The lines that give the sides' results in a terminal, or why there are none.
    Result<QString> commands() const;

    void exportPlot(PlotFrame& plot, const QString& file);
    void exportPicture(const QWidget& picture, const QString& file);
    /// .csv, .npz, or .json with the full result, by suffix.
    void exportData(const QString& file);

Q_SIGNALS:
    void figureRequested(hs::control::FigurePreset preset);

private:
    struct Plot {
        PlotFrame* plot;
        QString title;
    };

    struct Picture {
        const QWidget* picture;
        QString title;
        Paint paint;
    };

    void addGridEntries();
    void addAblationEntries();
    void addFileEntries();
    void addExport(const QString& title, const QWidget& shown,
                   const std::function<void(const QString&)>& write);
    QAction* addEntry(const char* name, const QString& text, bool isEnabled,
                      const std::function<void()>& run);
    /// One undo step, named after the entry.
    QAction* addEdit(const char* name, const QString& text, bool isEnabled,
                     const std::function<void(control::Document&)>& change);
    QString whichHeads() const;
    void raise(const Error& error);

    control::Explorer& m_explorer;
    service::AnalysisKind m_kind;
    Source m_source;
    std::vector<Plot> m_plots;
    std::vector<Picture> m_pictures;
    SideHeads m_chosen;  // as of when the menu was opened
    SideHeads m_ranked;
};

/// Shapes of both sides' models.
SideShapes shapesOf(const control::Explorer& explorer);

}  // namespace hs::panels
