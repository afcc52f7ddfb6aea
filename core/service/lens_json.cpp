#include "service/lens_json.h"

namespace hs::service {

Json jsonOf(const PromptLens& found)
{
    Json layers = Json::array();
    for (const engine::LensLayer& layer : found.layers) {
        Json positions = Json::array();
        for (const engine::LensReading& reading : layer.positions) {
            Json top = Json::array();
            for (const engine::Prediction& prediction : reading.top)
                top.push_back({{"id", prediction.token}, {"prob", prediction.probability}});
            const engine::TokenRank& target = reading.watched.at(0);
            positions.push_back({{"position", reading.position},
                                 {"top", std::move(top)},
                                 {"target", {{"rank", target.rank}, {"prob", target.probability}}}});
        }
        layers.push_back({{"layer", layer.layer}, {"positions", std::move(positions)}});
    }
    return {{"target", {{"id", found.target}}}, {"layers", std::move(layers)}};
}

}  // namespace hs::service
