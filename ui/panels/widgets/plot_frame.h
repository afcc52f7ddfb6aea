#pragma once

#include "base/result.h"

#include <QWidget>

#include <filesystem>

class QCPAxis;
class QCustomPlot;

namespace hs::panels {

/// A plot in the program's look: its typeface, quiet axes, the theme's colours. The plot itself receives no
/// events, subclasses do. In files it is drawn on paper, whatever the theme.
class PlotFrame : public QWidget {
    Q_OBJECT

public:
    explicit PlotFrame(QWidget* parent = nullptr);

    /// Writes what is shown as .pdf or .png, by suffix, and returns the path.
    Result<std::filesystem::path> save(const std::filesystem::path& file);

protected:
    QCustomPlot& plot() { return *m_plot; }
    const QCustomPlot& plot() const { return *m_plot; }
    /// Colours that the plot is drawn with: the theme's, or the paper's while it is saved.
    const QPalette& inks() const { return m_inks; }
    QFont smallFont() const;
    /// Gives an axis of the plot the quiet look.
    void styleAxis(QCPAxis& axis) const;
    /// Applies the current inks to everything; call it once the plot is composed. Overrides style their own
    /// parts, then call this.
    virtual void applyStyle();
    /// A tooltip that stays beside the pointer until it moves away; empty: none.
    void showTip(QPoint position, const QString& text);

    void changeEvent(QEvent* event) override;

private:
    QCustomPlot* m_plot;
    QPalette m_inks;
};

}  // namespace hs::panels
