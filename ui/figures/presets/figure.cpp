#include "figures/presets/figure.h"

namespace hs::figures {

Drawing drawFigure(const FigureContent& content, const Form& form)
{
    return std::visit([&](const auto& figure) { return draw(figure, form); }, content);
}

DataTable tableOf(const FigureContent& content)
{
    return std::visit([](const auto& figure) { return table(figure); }, content);
}

}  // namespace hs::figures
