#pragma once

#include "base/result.h"

#include <QWidget>

#include <filesystem>

class QCPAxis;
class QCustomPlot;

namespace hs::panels {

/// A plot in the program's look: its typeface, quiet axes, the theme's colours. The plot itself hears
/// no events, those that inherit from this do. Files show it on paper, whatever the theme.
class PlotFrame : public QWidget {
    Q_OBJECT

public:
    explicit PlotFrame(QWidget* parent = nullptr);

    /// Writes what is shown, .pdf or .png by suffix, and gives the path back.
    Result<std::filesystem::path> save(const std::filesystem::path& file);

protected:
    QCustomPlot& plot() { return *m_plot; }
    const QCustomPlot& plot() const { return *m_plot; }
    /// Colours that things in the plot are drawn with: the theme's, or the paper's while it is saved.
    const QPalette& inks() const { return m_inks; }
    QFont smallFont() const;
    /// An axis of one of the plot's rectangles in the quiet look.
    void styleAxis(QCPAxis& axis) const;
    /// Puts everything in the present inks; call it once what is in the plot is there. What inherits
    /// styles its own parts and then calls this.
    virtual void applyStyle();
    /// Text that stays beside the pointer until it moves off; empty: none.
    void showTip(QPoint position, const QString& text);

    void changeEvent(QEvent* event) override;

private:
    QCustomPlot* m_plot;
    QPalette m_inks;
};

}  // namespace hs::panels
