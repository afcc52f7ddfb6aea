#pragma once

#include "control/explorer/explorer.h"
#include "text/prompt_set.h"

namespace hs::panels {

/// Opens a file, a folder or "task:induction:100" as the document's set and runs it; an empty name closes the set. A file
/// that has changed since is read again.
void openPromptSet(control::Explorer& explorer, const QString& source);

/// What people call a set: its file's name, or that of the task.
QString promptSetName(const QString& source);

/// The files that a dialog offers.
QString promptFilter();

/// Whether a file looks like a set of prompts rather than a model or a session.
bool isPromptFile(const QString& path);

/// Makes a prompt of the set the document's, with the tokens that are asked about if it has any. Steps from one to the
/// next are one step of the history.
void lookAtPrompt(control::Explorer& explorer, const text::SetPrompt& prompt);

}  // namespace hs::panels
