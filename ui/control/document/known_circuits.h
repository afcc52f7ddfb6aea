#pragma once

#include "base/head_id.h"

#include <QByteArray>
#include <QString>

#include <set>
#include <vector>

namespace hs::control {

/// Heads of a published circuit, by what they were found to do.
struct CircuitRole {
    QString title;
    QString mark;  // its two-letter abbreviation
    std::set<HeadId> heads;
};

struct KnownCircuit {
    QString title;
    QString model;   // in which it was found
    QString source;  // authors, year, title
    int layers = 0;  // of that model
    int headsPerLayer = 0;
    std::vector<CircuitRole> roles;

    std::set<HeadId> heads() const;
    bool fits(const HeadShape& shape) const { return shape.layers == layers && shape.heads == headsPerLayer; }
};

/// None if the JSON makes no sense.
std::vector<KnownCircuit> parseCircuits(const QByteArray& json);

/// The circuits in resources/circuits.json, read once.
const std::vector<KnownCircuit>& shippedCircuits();

/// A circuit's or role's title in the user's language.
QString translatedTitle(const QString& title);

}  // namespace hs::control
