#pragma once

#include "control/explorer/explorer.h"
#include "ui/fake_backend.h"

#include <QAction>
#include <QImage>
#include <QMenu>
#include <QWidget>

#include <functional>

namespace hs::test {

/// What a panel needs around it: an explorer on two fake models that have run a prompt of 15 tokens, ⟨bos⟩
/// included.
class PanelStage {
public:
    struct Setup {
        QString left = QStringLiteral("fake:4x6");
        QString right = QStringLiteral("fake:4x6+gate");
        QString prompt = QStringLiteral("When Mary and John went to the store , John gave a drink to");
        QString target;
        QString distractor;
        control::Preferences preferences;
    };

    PanelStage() : PanelStage(Setup()) {}
    explicit PanelStage(const Setup& setup,
                        std::unique_ptr<FakeBackend> backend = std::make_unique<FakeBackend>());

    control::Explorer& explorer() { return *m_explorer; }
    const control::Document& document() const { return m_explorer->document(); }
    FakeBackend& backend() { return *m_backend; }

    /// Waits until both sides show what the document asks for, or report why not.
    void settle();

private:
    FakeBackend* m_backend;
    std::unique_ptr<control::Explorer> m_explorer;
};

/// Shows a panel off screen at a given size, laid out.
void present(QWidget& panel, QSize size);

template <class Widget>
Widget& child(const QWidget& panel, const char* name)
{
    auto* const found = panel.findChild<Widget*>(QLatin1String(name));
    if (!found)
        throw std::runtime_error(std::string("no child named ") + name);
    return *found;
}

/// Chooses the entry whose text starts with `text`; false if there is none or it is disabled.
bool choose(const QMenu& menu, const QString& text);

int countPixels(const QImage& picture, const std::function<bool(const QColor&)>& is);
bool isReddish(const QColor& colour);

}  // namespace hs::test
