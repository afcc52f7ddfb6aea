#pragma once

#include "base/work_queue.h"
#include "composer/page_painter.h"
#include "control/figure_maker.h"

namespace hs {

/// Lays a figure out on a thread of its own, since a full one takes longer than a frame. Lives on the
/// UI thread.
class FigureDrawer : public QObject {
    Q_OBJECT

public:
    using Figure = std::shared_ptr<const MadeFigure>;

    explicit FigureDrawer(QObject* parent);
    ~FigureDrawer() override;

    /// Unless that was asked for last. Without a figure there is no page.
    void draw(const Figure& figure, const FigureForm& form);
    /// Whether the last page is the one that was asked for.
    bool isDone() const { return m_delivered == m_asked; }

Q_SIGNALS:
    void drawn(const PagePainter::Page& page, bool isTransparent);
    void failed(const QString& problem);

private:
    void deliver(int serial, const Result<PagePainter::Page>& page, bool isTransparent);

    Figure m_figure;  // this and the form were asked for last
    FigureForm m_form;
    int m_asked = 0;
    int m_delivered = 0;
    std::unique_ptr<WorkQueue> m_queue;
};

}  // namespace hs
