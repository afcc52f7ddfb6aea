#include "app/support/set_npz.h"

#include "base/npz_writer.h"
#include "text/utf8.h"

namespace hs::app {

std::u32string charactersOf(const std::string& bytes)
{
    std::u32string characters;
    for (std::size_t at = 0; at < bytes.size();) {
        if (text::validUtf8Length(std::string_view(bytes).substr(at)) > 0) {
            characters.push_back(text::nextCodePoint(bytes, at));
        } else {
            characters.push_back(U'\ufffd');
            ++at;
        }
    }
    return characters;
}

void writeSetNpz(const std::string& file, const analyses::SetResult& result)
{
    const analyses::SetMaps& maps = *result.maps;
    const JsonReader about(result.about, file, "make it again");
    const int side = maps.side();
    std::vector<std::int64_t> tokens;
    std::vector<std::int64_t> counts;  // [query, key]
    std::vector<std::u32string> texts;
    for (int position = 0; position < side; ++position) {
        const analyses::SetMaps::Place& place = maps.placeAt(position);
        tokens.push_back(place.token);
        const int number = maps.align() == analyses::SetAlign::End ? position - side : position;
        texts.push_back(charactersOf(place.text.empty() ? "[" + std::to_string(number) + "]" : place.text));
        for (int key = 0; key < side; ++key)
            counts.push_back(maps.countAt(position, key));
    }
    std::vector<std::vector<float>> layers;
    for (int layer = 0; layer < maps.heads().layers; ++layer)
        layers.push_back(maps.layer(layer, about["average"].word<analyses::SetAverage>()));
    NpzWriter writer(file);
    writer.add("tokens", tokens, {side});
    writer.add("texts", texts);
    writer.add("attention", std::vector<std::span<const float>>(layers.begin(), layers.end()),
               {maps.heads().layers, maps.heads().heads, side, side});
    writer.add("counts", counts, {side, side});
    writer.add("prompts", std::vector{static_cast<std::int64_t>(result.rows.size())}, {1});
    writer.finish();
}

}  // namespace hs::app
