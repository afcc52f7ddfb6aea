#pragma once

#include "control/work/late_work.h"
#include "figures/parts/drawing.h"

#include <QImage>
#include <QObject>

#include <memory>
#include <optional>

namespace hs::composer {

/// Paints a page on a thread of its own, since a full one takes longer than a frame. Lives on the UI
/// thread; the last picture stays until its replacement arrives.
class PagePainter : public QObject {
    Q_OBJECT

public:
    using Page = std::shared_ptr<const figures::Drawing>;

    /// The part of a page that is painted.
    struct View {
        double scale = 1;  // pixels per point
        QSize size;        // in pixels
        QPointF corner;    // of the page, in the picture's pixels

        friend bool operator==(const View&, const View&) = default;
    };
    struct Picture {
        Page page;
        View view;
        QImage image;  // without the page's background
    };

    explicit PagePainter(QObject* parent);

    /// The page's latest picture; requests a new one if that shows another view or an older page.
    const Picture& picture(const Page& page, const View& view);

Q_SIGNALS:
    void painted();

private:
    Page m_page;  // the page and view requested last
    View m_view;
    Picture m_picture;
    control::LateWork* m_work;
};

}  // namespace hs::composer
