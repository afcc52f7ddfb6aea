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

/// What can be done with the result of an analysis: it orders, filters and annotates the grids,
/// decides what runs, and goes into files and figures. For both sides at once where both have a
/// result, each in one undo step. Fills itself when it opens.
class AnalysisActions : public QMenu {
    Q_OBJECT

public:
    /// What the panel knows about its result.
    struct Source {
        std::function<SideHeads()> ranked;  // all, the most important first
        std::function<SideHeads()> chosen;  // "these heads"
        std::function<figures::DataTable()> table;
        std::function<std::string()> json;                  // the whole result
        std::function<std::array<std::string, 2>()> drawn;  // [Side] what a figure takes over as it is
    };

    AnalysisActions(control::Explorer& explorer, control::AnalysisKind kind, Source source, QWidget* parent);

    /// A plot that can be exported; `title` names it in the menu.
    void addPlot(PlotFrame& plot, const QString& title);
    /// The same for a picture that a widget of another kind draws.
    void addPicture(const QWidget& picture, const QString& title, Paint paint);
    void fill();

    void exportPlot(PlotFrame& plot, const QString& file);
    void exportPicture(const QWidget& picture, const QString& file);
    /// .csv, .npz, or .json with everything that is known, by suffix.
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
    /// One step, called what the entry says.
    QAction* addEdit(const char* name, const QString& text, bool isEnabled,
                     const std::function<void(control::Document&)>& change);
    QString whichHeads() const;
    void raise(const Error& error);

    control::Explorer& m_explorer;
    control::AnalysisKind m_kind;
    Source m_source;
    std::vector<Plot> m_plots;
    std::vector<Picture> m_pictures;
    SideHeads m_chosen;  // when the menu was opened
    SideHeads m_ranked;
};

/// Heads there are in each side's model.
SideShapes shapesOf(const control::Explorer& explorer);

}  // namespace hs::panels
