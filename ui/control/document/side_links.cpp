#include "control/document/side_links.h"

namespace hs::control {
namespace {

/// Copies a field from the side on which it changed, if it is linked.
template <class Field>
void follow(Field SideSetup::* field, bool Alike::* link, Document& changed, const Document& before)
{
    if (!(changed.alike.*link))
        return;
    const auto isChanged = [&](Side side) { return changed.side(side).*field != before.side(side).*field; };
    const bool wasLinked = before.alike.*link;
    const Side leader =
        wasLinked && isChanged(Side::Right) && !isChanged(Side::Left) ? Side::Right : Side::Left;
    if (!wasLinked || isChanged(leader))
        changed.side(otherSide(leader)).*field = changed.side(leader).*field;
}

}  // namespace

void keepAlike(Document& changed, const Document& before)
{
    Document linked = changed;
    follow(&SideSetup::model, &Alike::model, linked, before);
    for (const Side side : kSides)
        changed.side(side).setModel(linked.side(side).model);
    follow(&SideSetup::prompt, &Alike::prompt, changed, before);
    follow(&SideSetup::ablations, &Alike::ablations, changed, before);
}

void keepAsOther(Document& document, Side kept)
{
    SideSetup& other = document.side(otherSide(kept));
    const GridChoice grid = other.grid;
    other = document.side(kept);
    other.grid = grid;
    document.alike = {false, false, false};
    if (document.arrangement == Arrangement::LeftOnly || document.arrangement == Arrangement::RightOnly)
        document.arrangement = Arrangement::Automatic;
}

}  // namespace hs::control
