#include "window/wait_hints.h"

#include "engine/device/device.h"
#include "engine/load/model.h"

#include <QMenu>

#include <algorithm>

namespace hs::window {
namespace {

constexpr std::size_t kShortPrompt = 16;  // tokens; with fewer, reading the weights takes the time

bool isOnGpu(const engine::Model& model)
{
    return model.facts().placement.uses(engine::Device::Kind::Cuda);
}

}  // namespace

WaitHints::WaitHints(control::Explorer& explorer, QWidget* parent) : QToolButton(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("waitHints"));
    setText(tr("What helps"));
    setToolTip(tr("Runs of this model take long here: what makes the wait shorter, or rarer"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    connect(menu(), &QMenu::aboutToShow, this, &WaitHints::fill);
}

void WaitHints::fill()
{
    menu()->clear();
    const control::Preferences& preferences = m_explorer.preferences();
    if (preferences.runsAsYouType)
        offer(tr("Run on &Return only, not while typing"), tr("Also in the preferences: Run while typing"),
              [](control::Preferences& changed) { changed.runsAsYouType = false; });
    else
        offer(tr("&Run while typing again"), tr("Runs now start on Return only"),
              [](control::Preferences& changed) { changed.runsAsYouType = true; });
    std::size_t tokens = 0;
    bool isWide = false;     // on a GPU, in a type that is slower than need be
    bool isWidened = false;  // on the processor, in a type that every run converts
    for (const Side side : kSides) {
        const control::SideState& state = m_explorer.state(side);
        if (const auto& run = state.part ? state.part : state.run)
            tokens = std::max(tokens, run->textTokens().size());
        if (!state.model || !state.model->model)
            continue;
        const engine::Model& model = *state.model->model;
        isWide |= isOnGpu(model) && state.model->precision == "float32";
        isWidened |= !isOnGpu(model) && model.facts().dtype != model::DType::F32;
    }
    if (tokens > kShortPrompt) {
        QAction* const shorten =
            menu()->addAction(tr("&Shorten the prompt"), this, &WaitHints::promptRequested);
        shorten->setToolTip(tr("It has %1 tokens; a run takes longer with each").arg(tokens));
    }
    if (preferences.device == "cpu" && engine::chooseDevice("cuda"))
        offer(tr("Run on the &GPU"), tr("This machine has one; the models are loaded again"),
              [](control::Preferences& changed) { changed.device = "auto"; });
    if (isWidened)
        offer(tr("Keep the weights in &float32"), tr("The models are loaded again, in twice the memory"),
              [](control::Preferences& changed) { changed.dtype = "f32"; });
    if (isWide) {
        offer(tr("Compute in &bfloat16"), tr("The models are loaded again, in half the memory"),
              [](control::Preferences& changed) { changed.dtype = "bf16"; });
        offer(tr("Faster float32 (&TF32)"), tr("Matrix products may round their factors to ten bits"),
              [](control::Preferences& changed) { changed.tf32 = true; });
    }
}

void WaitHints::offer(const QString& text, const QString& toolTip,
                      const std::function<void(control::Preferences&)>& change)
{
    QAction* const action = menu()->addAction(text, this, [this, change] {
        control::Preferences preferences = m_explorer.preferences();
        change(preferences);
        m_explorer.setPreferences(preferences);
    });
    action->setToolTip(toolTip);
}

}  // namespace hs::window
