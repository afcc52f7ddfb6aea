#pragma once

#include "base/head_id.h"
#include "stats/head_kind.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace hs::grid {

/// A plate with a few characters.
struct BadgeMark {
    QString text;
    int role = -1;  // what its colour stands for; -1: nothing, it is plain

    friend bool operator==(const BadgeMark&, const BadgeMark&) = default;
};

/// What is written on a tile beside its name.
struct TileBadge {
    std::vector<BadgeMark> marks;
    QString description;  // for tool tips and screen readers

    friend bool operator==(const TileBadge&, const TileBadge&) = default;
};

/// What badges mean, shown beside the grids.
struct BadgeKey {
    struct Entry {
        BadgeMark mark;
        QString title;
        std::optional<stats::HeadKind> kind = std::nullopt;  // a strip of its colour instead of the mark

        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::vector<Entry> entries;
    QString note;  // why there are none, or what to bear in mind

    bool isEmpty() const { return entries.empty() && note.isEmpty(); }

    friend bool operator==(const BadgeKey&, const BadgeKey&) = default;
};

}  // namespace hs::grid
