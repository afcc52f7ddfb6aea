#pragma once

#include "control/document/document.h"

#include <QUndoCommand>

#include <functional>

namespace hs::control {

/// One step of the history: from one document to another. Owned by the undo stack.
class DocumentCommand : public QUndoCommand {
public:
    using Apply = std::function<void(const Document&)>;

    /// Consecutive steps with the same non-empty `mergeKey` are merged; a merged step that ends where it
    /// began is dropped.
    DocumentCommand(const QString& what, Document before, Document after, QString mergeKey, Apply apply);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    Document m_before;
    Document m_after;
    QString m_mergeKey;
    Apply m_apply;
};

}  // namespace hs::control
