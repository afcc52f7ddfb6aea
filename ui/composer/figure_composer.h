#pragma once

#include "control/explorer/explorer.h"
#include "figures/parts/form.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QProgressBar;
class QToolButton;

namespace hs::control {
class LateWork;
struct MadeFigure;
}  // namespace hs::control

namespace hs::figures {
class Drawing;
}

namespace hs::composer {

class FigureExport;
class FigurePreview;
class PresetForm;

/// A window of its own for putting a figure together: preset, heads and their order, look, live preview,
/// export. Every change is one step of the document's history.
class FigureComposer : public QWidget {
    Q_OBJECT

public:
    explicit FigureComposer(control::Explorer& explorer, QWidget* parent = nullptr);
    ~FigureComposer() override;

    /// Takes over what the grids show, or only the selected heads.
    void takeShown();
    void takeSelected();
    FigureExport& exports() { return *m_export; }
    FigurePreview& preview() { return *m_preview; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    /// Text fields have a history of their own and keep Ctrl+Z for it; here, undo and redo in any field act on
    /// the document's history.
    bool eventFilter(QObject* field, QEvent* event) override;

private:
    void compose();
    QWidget* newForms();
    QWidget* newPreviewBar();
    QWidget* newPreviewColumn();
    QWidget* newFoot();
    void addActions();
    void connectParts();
    void redraw();
    void showPage(std::shared_ptr<const figures::Drawing> page, bool isTransparent);
    void showState();
    void showZoom();
    void showActivity();
    void say(const QString& sentence, bool isProblem);

    control::Explorer& m_explorer;
    FigureExport* m_export;
    control::LateWork* m_drawer;
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
    QList<QWidget*> m_needFigure;  // enabled once there is one
    std::shared_ptr<const control::MadeFigure>
        m_figure;  // the figure and form that were drawn last, or are being drawn
    figures::Form m_form;
};

}  // namespace hs::composer
