#pragma once

#include "control/document/analysis_setup.h"
#include "render/colour_map.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QStringList>

#include <memory>

namespace hs::panels {

/// What a side's lens shows.
struct LensContent {
    std::shared_ptr<const service::PromptLens> lens;   // null: nothing
    std::shared_ptr<const service::OpenModel> model;   // whose tokens they are
    std::shared_ptr<const engine::Saliency> saliency;  // of the prompt's tokens; null: none
    QStringList tokens;                                // of the prompt
    control::LensChoice choice;

    friend bool operator==(const LensContent&, const LensContent&) = default;
};

/// A row for each depth of a model, its answer on top, and a column for each position of the prompt: the most
/// probable token there, in a colour for its probability or for the target's rank.
class LensModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setContent(const LensContent& content);
    const LensContent& content() const { return m_content; }
    /// How cells are coloured.
    void setColours(const render::ColourMap& colours, bool isDimmed);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const engine::LensReading& readingAt(const QModelIndex& index) const;
    /// "after L4", "in L4, before its MLP", "embedding".
    QString depthWords(int row) const;
    QString nameOf(std::int64_t token) const;
    /// Of all cells, each name once.
    QStringList names() const { return m_names.values(); }
    /// What a position does for the logit; NaN if that is not known.
    double saliencyOf(int position) const;
    /// The largest of all, in size.
    double largestSaliency() const;

private:
    const engine::LensLayer& layerAt(int row) const;
    double strength(const engine::LensReading& reading) const;

    LensContent m_content;
    QHash<qint64, QString> m_names;  // of the most probable tokens
    QList<QRgb> m_colours = render::ColourMap::named({}).table(render::Scale::Linear);
    bool m_isDimmed = false;
};

}  // namespace hs::panels
