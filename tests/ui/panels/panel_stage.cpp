#include "ui/panels/panel_stage.h"

#include <QApplication>
#include <QSignalSpy>

namespace hs::test {
namespace {

constexpr int kPatience = 10'000;  // milliseconds; only a broken test waits so long

bool isSettled(const control::Explorer& explorer)
{
    for (const Side side : kSides) {
        const control::SideState& state = explorer.state(side);
        if (explorer.document().side(side).model.isEmpty() || !state.problem.isEmpty())
            continue;
        if (!state.run || state.isStale || state.isLoading)
            return false;
    }
    return true;
}

}  // namespace

PanelStage::PanelStage(const Setup& setup, std::unique_ptr<FakeBackend> backend) : m_backend(backend.get())
{
    m_explorer = std::make_unique<control::Explorer>(std::move(backend), setup.preferences);
    control::Document document;
    control::setPrompt(document, setup.prompt);
    document.target = setup.target;
    document.distractor = setup.distractor;
    document.side(Side::Left).model = setup.left;
    document.side(Side::Right).model = setup.right;
    m_explorer->reset(std::move(document));
    settle();
}

void PanelStage::settle()
{
    QSignalSpy states(m_explorer.get(), &control::Explorer::stateChanged);
    while (!isSettled(*m_explorer))
        if (!states.wait(kPatience))
            throw std::runtime_error("the explorer did not settle");
}

void present(QWidget& panel, QSize size)
{
    panel.resize(size);
    panel.show();
    QApplication::processEvents();
}

bool choose(const QMenu& menu, const QString& text)
{
    for (QAction* const action : menu.actions()) {
        if (action->menu() && choose(*action->menu(), text))
            return true;
        const QString plain = action->text().remove(QLatin1Char('&'));
        if (!action->menu() && !action->isSeparator() && plain.startsWith(text)) {
            action->trigger();
            return action->isEnabled();
        }
    }
    return false;
}

int countPixels(const QImage& picture, const std::function<bool(const QColor&)>& is)
{
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            count += is(picture.pixelColor(x, y)) ? 1 : 0;
    return count;
}

bool isReddish(const QColor& colour)
{
    return colour.red() > 150 && colour.green() < 90 && colour.blue() < 100;
}

}  // namespace hs::test
