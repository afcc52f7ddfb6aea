#pragma once

#include "base/side.h"
#include "engine/request/run_request.h"

#include <QWidget>

#include <optional>

class QBoxLayout;
class QCheckBox;
class QLabel;

namespace hs::panels {

class HeadPlot;
class MapColours;
class PatchPicture;
struct AxisLabels;
struct HeadMap;

/// One side's part of the inspector: whose head it is, its figures, its map and the values of the marked
/// cell.
class InspectorSide : public QWidget {
    Q_OBJECT

public:
    explicit InspectorSide(Side side, QWidget* parent = nullptr);

    HeadPlot& plot() { return *m_plot; }
    /// Beside the map, or below it where that leaves it too narrow; hidden unless keys are patches.
    PatchPicture& patches() { return *m_patches; }

    void setTitle(const QString& title, bool hasSideColour);
    /// The head's figures; hidden if there is no room for them.
    void setFigures(const QString& text);
    void setFiguresShown(bool areShown);
    /// The values of the marked cell; quiet if nothing is marked.
    void setReadout(const QString& text, bool isQuiet);
    /// How the head is ablated; none: it runs.
    void setChange(const HeadChange* change);
    void setAblatable(bool isAblatable);

    void setMap(const AxisLabels& tokens, const HeadMap& map, const MapColours& colours);

    /// Height of everything but the map.
    int heightBesideMap() const;

Q_SIGNALS:
    void ablationToggled(bool isAblated);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyStyle();
    void elide();
    void fitPlot();

    Side m_side;
    QString m_fullTitle;
    QLabel* m_mark;
    QLabel* m_title;
    QCheckBox* m_ablated;
    QLabel* m_figures;
    HeadPlot* m_plot;
    PatchPicture* m_patches;
    QBoxLayout* m_pictures;  // map and patches
    QLabel* m_readout;
};

}  // namespace hs::panels
