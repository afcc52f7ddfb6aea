#include "control/document/document_command.h"

namespace hs::control {

DocumentCommand::DocumentCommand(const QString& what, Document before, Document after, QString mergeKey,
                                 Apply apply)
    : QUndoCommand(what), m_before(std::move(before)), m_after(std::move(after)),
      m_mergeKey(std::move(mergeKey)), m_apply(std::move(apply))
{
}

void DocumentCommand::undo()
{
    m_apply(m_before);
}

void DocumentCommand::redo()
{
    m_apply(m_after);
}

int DocumentCommand::id() const
{
    return m_mergeKey.isEmpty() ? -1 : 1;
}

bool DocumentCommand::mergeWith(const QUndoCommand* other)
{
    const auto* const next = dynamic_cast<const DocumentCommand*>(other);
    if (!next || next->m_mergeKey != m_mergeKey)
        return false;
    m_after = next->m_after;
    setText(next->text());
    setObsolete(m_after == m_before);
    return true;
}

}  // namespace hs::control
