#pragma once

#include "panels/analyses/graph/shown_graph.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace hs::panels {

/// What the card describes: a node of a view, and the heads of the edge that was asked for.
struct CardContent {
    int node = 0;
    QString words;          // which node
    QString facts;          // "activation 3.20 · 12 % of the influence"
    QString description;    // what it fires on and promotes, as rich text
    bool hasLabel = false;  // it is a feature, whose label can be edited
    QString label;
    bool canSwitch = false;  // it is made of features
    bool isOff = false;      // in the run that the grids show
    QString heads;           // what carries the edge

    friend bool operator==(const CardContent&, const CardContent&) = default;
};

/// An edge as the card lists it.
struct CardEdge {
    figures::ViewEdge edge;
    bool isOutgoing = false;
    QString words;  // of its other end
};

/// Everything known of one node: what it fires on, what it promotes, its label, its strongest edges, and the heads that
/// carry the chosen one.
class FeatureCard : public QWidget {
    Q_OBJECT

public:
    explicit FeatureCard(QWidget* parent = nullptr);

    /// None: says what to do.
    void setContent(const std::optional<CardContent>& content, const std::vector<CardEdge>& edges);

    QSize sizeHint() const override { return {300, 200}; }
    QSize minimumSizeHint() const override { return {140, 90}; }

Q_SIGNALS:
    void labelEdited(const QString& label);
    void switched(bool isOff);
    void edgePicked(const hs::figures::ViewEdge& edge);

private:
    void fillEdges(const std::vector<CardEdge>& edges);

    QLabel* m_words;
    QLabel* m_facts;
    QLineEdit* m_label;
    QCheckBox* m_off;
    QLabel* m_description;
    QLabel* m_heads;
    QTreeWidget* m_list;
    std::vector<CardEdge> m_edges;
};

/// "<b>fires on</b> large, big · <b>promotes</b> small …"; empty if nothing is known.
QString descriptionOf(const features::FeatureTexts& texts);

}  // namespace hs::panels
