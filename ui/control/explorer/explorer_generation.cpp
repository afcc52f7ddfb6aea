// What the models write on behind the prompt.
#include "control/explorer/explorer.h"
#include "control/explorer/generation_runs.h"
#include "service/engine_need.h"

#include <algorithm>

namespace hs::control {

std::array<std::optional<service::SideRequest>, 2> Explorer::generationRequests() const
{
    std::array<std::optional<service::SideRequest>, 2> requests;
    for (const Side side : kSides)
        if (const auto model = m_runs->model(side); model && service::whyNoRun(*model).empty())
            if (service::SideRequest request = generationRequest(m_document, side, model);
                request.hasPrompt())
                requests[indexOf(side)] = std::move(request);
    return requests;
}

void Explorer::generate()
{
    m_generation->start(generationRequests(), m_document.generation);
}

void Explorer::stopGenerating()
{
    m_generation->stop();
}

void Explorer::takeGenerated()
{
    if (std::ranges::all_of(kSides, [&](Side side) { return m_generation->written(side).empty(); }))
        return;
    edit(tr("Generate"), [this](Document& document) {
        for (const Side side : kSides)
            if (const auto tokens = m_generation->written(side); !tokens.empty())
                document.side(side).generated = tokens;
        document.step.reset();
        document.position.reset();
    });
}

}  // namespace hs::control
