#include "composer/figure_drawer.h"

#include "base/failure.h"

namespace hs {
namespace {

constexpr int kSlot = 0;

}  // namespace

FigureDrawer::FigureDrawer(QObject* parent) : QObject(parent), m_queue(std::make_unique<WorkQueue>()) {}

FigureDrawer::~FigureDrawer()
{
    m_queue.reset();  // what is being drawn is finished first
}

void FigureDrawer::draw(const Figure& figure, const FigureForm& form)
{
    if (figure == m_figure && (!figure || form == m_form))
        return;
    m_figure = figure;
    m_form = form;
    const int serial = ++m_asked;
    if (!figure) {
        m_queue->cancel(kSlot);
        return deliver(serial, PagePainter::Page(), false);
    }
    m_queue->post(kSlot, [this, serial, figure, form](std::stop_token) {
        auto page = guarded(
            [&]() -> PagePainter::Page { return std::make_shared<const Drawing>(figure->draw(form)); });
        QMetaObject::invokeMethod(
            this,
            [this, serial, page = std::move(page), isTransparent = form.isTransparent] {
                deliver(serial, page, isTransparent);
            },
            Qt::QueuedConnection);
    });
}

void FigureDrawer::deliver(int serial, const Result<PagePainter::Page>& page, bool isTransparent)
{
    if (serial < m_delivered)
        return;
    m_delivered = serial;
    Q_EMIT drawn(page ? *page : nullptr, isTransparent);
    if (!page)
        Q_EMIT failed(QString::fromStdString(page.error().message));
}

}  // namespace hs
