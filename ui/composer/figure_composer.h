#pragma once

#include "control/explorer.h"
#include "figures/figure_form.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QProgressBar;
class QToolButton;

namespace hs {

class Drawing;
class FigureExport;
class FigurePreview;
class LateWork;
struct MadeFigure;
class PresetForm;

/// A window of its own in which a figure is put together: preset, heads and their order, look, live
/// preview, export. Every change is one step of the document's history.
class FigureComposer : public QWidget {
    Q_OBJECT

public:
    explicit FigureComposer(Explorer& explorer, QWidget* parent = nullptr);
    ~FigureComposer() override;

    /// Takes over what the grids show, or the selected heads of it.
    void takeShown();
    void takeSelected();
    FigureExport& exports() { return *m_export; }
    FigurePreview& preview() { return *m_preview; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void compose();
    QWidget* newForms();
    QWidget* newPreviewBar();
    QWidget* newPreviewColumn();
    QWidget* newFoot();
    void addActions();
    void connectParts();
    void redraw();
    void showPage(std::shared_ptr<const Drawing> page, bool isTransparent);
    void showState();
    void showZoom();
    void showActivity();
    void say(const QString& sentence, bool isProblem);

    Explorer& m_explorer;
    FigureExport* m_export;
    LateWork* m_drawer;
    PresetForm* m_preset = nullptr;
    FigurePreview* m_preview = nullptr;
    QButtonGroup* m_zooms = nullptr;
    QLabel* m_size = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_stop = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
    QLabel* m_problem = nullptr;
    QLabel* m_notes = nullptr;
    QLabel* m_said = nullptr;
    QList<QWidget*> m_needFigure;                // enabled once there is one
    std::shared_ptr<const MadeFigure> m_figure;  // this and the form were drawn last, or are being drawn
    FigureForm m_form;
};

}  // namespace hs
