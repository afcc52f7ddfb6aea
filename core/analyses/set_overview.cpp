#include "analyses/set_overview.h"

#include "base/failure.h"

#include <map>

namespace hs::analyses {
namespace {

std::vector<text::TemplateCell> slotCells(const text::SetPrompt& prompt, const text::Tokenizer* tokenizer,
                                          bool hasBos)
{
    if (prompt.slots.empty())
        fail(ErrorCode::BadRequest,
             "It is no filled template; give a template, or \"template\" and \"slots\" in the file.");
    if (!tokenizer)
        fail(ErrorCode::BadRequest, "Slots need a tokenizer, and this model's folder has none; put its "
                                    "tokenizer.json there.");
    return orThrow(text::templateCells(orThrow(tokenizer->encode(prompt.text, hasBos)), prompt.slots));
}

/// What two prompts must share to be averaged by slots: "..{name}.".
std::string structureOf(const std::vector<text::TemplateCell>& cells)
{
    std::string structure;
    for (const text::TemplateCell& cell : cells)
        structure += cell.name.empty() ? "." : cell.name;
    return structure;
}

}  // namespace

SetOverview overviewOf(text::PromptSet& set, const text::Tokenizer* tokenizer, bool hasBos,
                       std::optional<SetAlign> align)
{
    SetOverview overview{set.count(), align.value_or(SetAlign::Start)};
    std::map<std::string, int> structures;
    while (const std::optional<text::SetPrompt> prompt = set.next()) {
        if (prompt->problem.empty() && !prompt->slots.empty())
            if (const auto cells = guarded([&] { return slotCells(*prompt, tokenizer, hasBos); }))
                ++structures[structureOf(*cells)];
    }
    set.restart();
    if (!align && !structures.empty())
        overview.align = SetAlign::Slots;
    int most = 0;
    for (const auto& [structure, count] : structures)
        if (count > most) {
            most = count;
            overview.structure = structure;
        }
    return overview;
}

std::vector<text::TemplateCell> cellsOf(const SetOverview& overview, const text::SetPrompt& prompt,
                                        const text::Tokenizer* tokenizer, bool hasBos)
{
    std::vector<text::TemplateCell> cells = slotCells(prompt, tokenizer, hasBos);
    if (structureOf(cells) != overview.structure)
        fail(ErrorCode::BadRequest,
             "Its template is cut into other tokens than that of most prompts; give it "
             "values that begin and end like theirs.");
    return cells;
}

}  // namespace hs::analyses
