#pragma once

#include "render/figure.h"

#include <QMainWindow>

namespace hs {

class HeadGridView;

/// A window around one figure: shows it, recolours it, saves it. UI thread only.
class HeadGridWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit HeadGridWindow(GridFigure figure, QWidget* parent = nullptr);

    const GridFigure& figure() const;

private:
    void fillFileMenu();
    void fillViewMenu();
    void savePicture();

    HeadGridView* m_view;  // owned by the window
};

}  // namespace hs
