#include "composer/page_painter.h"

#include "figures/parts/drawing_painter.h"

#include <QPainter>

namespace hs::composer {
namespace {

QImage paintPage(const figures::Drawing& drawing, const PagePainter::View& view)
{
    QImage picture(view.size.expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.translate(view.corner);
    painter.scale(view.scale, view.scale);
    figures::DrawingPainter(painter).paint(drawing);
    return picture;
}

}  // namespace

PagePainter::PagePainter(QObject* parent) : QObject(parent), m_work(new control::LateWork(this)) {}

const PagePainter::Picture& PagePainter::picture(const Page& page, const View& view)
{
    if (page == m_page && view == m_view)
        return m_picture;
    m_page = page;
    m_view = view;
    m_work->ask([this, page, view]() -> control::LateWork::Take {
        Picture picture{page, view, paintPage(*page, view)};
        return [this, picture = std::move(picture)] {
            m_picture = picture;
            Q_EMIT painted();
        };
    });
    return m_picture;
}

}  // namespace hs::composer
