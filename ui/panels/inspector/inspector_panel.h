#pragma once

#include "control/explorer/explorer.h"
#include "panels/inspector/inspector_maps.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QStackedWidget;

namespace hs::panels {

class HeadPlot;
class HeadWordsView;
class InspectorHeader;
class InspectorSide;
class RowProfile;

/// Shows the Explorer's current head in full: its map on either side, side by side or stacked, whichever
/// leaves more room, and the row of the marked query. Requests maps only while visible; the old picture
/// stays, dimmed, until the new one arrives.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    MapView mapView() const { return m_view; }
    void setMapView(MapView view);

    QSize sizeHint() const override { return {420, 520}; }
    QSize minimumSizeHint() const override { return {260, 280}; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Shown {
        HeadMap map;
        AxisLabels labels;
    };

    HeadPlot& plotOf(Side side) const;
    void connectSide(Side side);
    void connectExplorer();

    void refresh();
    void showSide(Side side);
    void showDifference();
    void colour();
    void arrange();
    void updateMarks();
    void updateProfile();
    void updatePatches(Side side);
    /// Greys the views that no side has, and leaves one of them.
    void checkViews();
    QString readout(Side side, const control::CellSpan& marks);
    QString missing(Side side) const;

    void step(int by);
    void hoverCell(Side side, MapCell cell);
    void pin(Side side, MapCell cell);
    void cut(Side side, const CellBlock& block);
    void takeBackPin();
    void release();
    std::vector<Side> sidesToShow() const;
    QString titleOf(Side side) const;
    control::CellSpan marked(Side side) const;
    int rowOf(Side side) const;

    control::Explorer& m_explorer;
    InspectorMaps m_maps;
    MapView m_view = MapView::Weights;
    control::Arrangement m_arrangement;  // that the choice of sides last followed
    std::array<Shown, 2> m_shown;        // [Side]
    std::optional<Side> m_alone;         // side to show if there is no room for two
    Side m_profileSide = Side::Left;     // whose tokens the profile names
    int m_pins = 0;
    std::optional<int> m_keyBeforePin;
    std::optional<int> m_queryBeforePin;

    QStackedWidget* m_pages;
    QLabel* m_empty;
    InspectorHeader* m_header;
    QBoxLayout* m_columns;
    std::array<InspectorSide*, 2> m_sides;  // [Side]
    RowProfile* m_profile;
    HeadWordsView* m_words;  // in the profile's place
};

}  // namespace hs::panels
