#include "grid/side_badges.h"

#include "control/analysis_runs.h"
#include "control/known_circuits.h"
#include "control/shown_heads.h"
#include "render/translate.h"

#include <QLocale>

#include <algorithm>

namespace hs {
namespace {

/// What a rank is one of, and what it goes by.
struct RankWords {
    QString ranked;  // "%1" is the rank, "%2" the value
    QString order;
    QString missing;  // what to do where there is no result
};

RankWords wordsOf(AnalysisKind kind)
{
    switch (kind) {
    case AnalysisKind::Sweep:
        return {tr("no. %1 of the sweep, changes the logit difference by %2"),
                tr("rank in the sweep, the largest change of the logit difference first"),
                tr("Run the sweep to see its ranks.")};
    case AnalysisKind::Circuit:
        return {tr("no. %1 of the circuit, effect %2"), tr("rank in the circuit, the largest effect first"),
                tr("Find the circuit to see its ranks.")};
    case AnalysisKind::Attribution:
        return {tr("no. %1 of the attribution, contributes %2"),
                tr("rank in the attribution, the largest contribution first"),
                tr("The ranks of the attribution come with the first run.")};
    case AnalysisKind::Compare:
        return {tr("no. %1 of the comparison, distance %2"),
                tr("rank in the comparison, what changed most first"),
                tr("Open two models that cut the prompt into the same tokens to see what changed most.")};
    case AnalysisKind::Scatter:
    case AnalysisKind::Flow: break;
    }
    return {{}, {}, tr("This analysis does not rank heads; choose another one for the badges.")};
}

/// A comparison is one of both sides and kept with the left one.
Side keptWith(AnalysisKind kind, Side side)
{
    return kind == AnalysisKind::Compare ? Side::Left : side;
}

/// The finding whose ranks a side shows: the last one about the model that is open there.
std::shared_ptr<const Finding> rankedFinding(const Explorer& explorer, Side side)
{
    const AnalysisKind kind = explorer.document().badges.analysis;
    const auto& finding = explorer.analyses().state(kind, keptWith(kind, side)).finding;
    const auto& model = explorer.state(side).model;
    if (!finding || !model)
        return nullptr;
    const bool isOther = kind == AnalysisKind::Compare && side == Side::Right && finding->request.other;
    const auto& asked = isOther ? finding->request.other->model : finding->request.side.model;
    return asked && asked->fingerprint == model->fingerprint && asked->heads == model->heads ? finding
                                                                                             : nullptr;
}

std::map<HeadId, TileBadge> rankBadges(const Explorer& explorer, Side side)
{
    std::map<HeadId, TileBadge> badges;
    const auto finding = rankedFinding(explorer, side);
    if (!finding)
        return badges;
    const TileBadges& wanted = explorer.document().badges;
    const QString words = wordsOf(wanted.analysis).ranked;
    int rank = 0;
    for (const RankedHead& ranked : ranking(*finding->result)) {
        if (++rank > wanted.count)
            break;
        const QString value =
            QLocale().toString(ranked.value, 'g', 3).replace(QLatin1Char('-'), QStringLiteral("−"));
        badges[ranked.head] = {{{QString::number(rank)}}, words.arg(rank).arg(value)};
    }
    return badges;
}

/// Calls `visit` for every role of the circuits that fit, with its number.
template <class Visit>
void forEachRole(const HeadShape& shape, Visit visit)
{
    int number = 0;
    for (const KnownCircuit& circuit : shippedCircuits())
        for (const CircuitRole& role : circuit.roles) {
            if (circuit.fits(shape))
                visit(circuit, role, number);
            ++number;
        }
}

std::map<HeadId, TileBadge> roleBadges(const HeadShape& shape)
{
    std::map<HeadId, TileBadge> badges;
    forEachRole(shape, [&](const KnownCircuit& circuit, const CircuitRole& role, int number) {
        const QString words = tr("%1 in %2").arg(translatedTitle(role.title), translatedTitle(circuit.title));
        for (const HeadId head : role.heads) {
            TileBadge& badge = badges[head];
            badge.marks.push_back({role.mark, number});
            badge.description += badge.description.isEmpty() ? words : QStringLiteral(", ") + words;
        }
    });
    return badges;
}

BadgeKey rankKey(const Explorer& explorer)
{
    const AnalysisKind kind = explorer.document().badges.analysis;
    const RankWords words = wordsOf(kind);
    bool isShownAnywhere = false;
    bool isOutdated = false;
    for (const Side side : kSides) {
        if (!isShown(explorer.document().arrangement, side) || !rankedFinding(explorer, side))
            continue;
        isShownAnywhere = true;
        isOutdated |= explorer.analyses().state(kind, keptWith(kind, side)).isOutdated;
    }
    if (!isShownAnywhere)
        return {{}, words.missing};
    return {{{{QStringLiteral("1")}, words.order}},
            isOutdated ? tr("Found before the last change; run it again.") : QString()};
}

BadgeKey roleKey(const Explorer& explorer)
{
    BadgeKey key;
    std::set<int> named;
    for (const Side side : kSides)
        if (const auto& model = explorer.state(side).model;
            model && isShown(explorer.document().arrangement, side))
            forEachRole(model->heads, [&](const KnownCircuit& circuit, const CircuitRole& role, int number) {
                const bool isAlone = circuit.roles.size() == 1;
                if (named.insert(number).second)
                    key.entries.push_back(
                        {{role.mark, number}, translatedTitle(isAlone ? circuit.title : role.title)});
            });
    if (key.entries.empty())
        key.note =
            tr("No circuit has been published for models of this shape; open GPT-2 small to see some.");
    return key;
}

}  // namespace

std::map<HeadId, TileBadge> badgesOf(const Explorer& explorer, Side side)
{
    const auto& model = explorer.state(side).model;
    switch (explorer.document().badges.kind) {
    case TileBadges::Kind::None: break;
    case TileBadges::Kind::Rank: return rankBadges(explorer, side);
    case TileBadges::Kind::KnownCircuit:
        return model ? roleBadges(model->heads) : std::map<HeadId, TileBadge>();
    }
    return {};
}

BadgeKey badgeKeyOf(const Explorer& explorer)
{
    switch (explorer.document().badges.kind) {
    case TileBadges::Kind::None: break;
    case TileBadges::Kind::Rank: return rankKey(explorer);
    case TileBadges::Kind::KnownCircuit: return roleKey(explorer);
    }
    return {};
}

}  // namespace hs
