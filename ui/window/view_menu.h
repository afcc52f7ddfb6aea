#pragma once

class QMenu;

namespace hs::window {

class DocumentChoices;

/// Menus for how the grids look; each entry is one undoable choice of the document.
void fillArrangementMenu(QMenu& menu, DocumentChoices& choices);
void fillLayoutMenu(QMenu& menu, DocumentChoices& choices);
void fillOrderMenu(QMenu& menu, DocumentChoices& choices);
void fillColourMenu(QMenu& menu, DocumentChoices& choices);
void fillScaleMenu(QMenu& menu, DocumentChoices& choices);
void fillLabelMenu(QMenu& menu, DocumentChoices& choices);
void fillValueMenu(QMenu& menu, DocumentChoices& choices);
void fillBlockMenu(QMenu& menu, DocumentChoices& choices);
void fillBadgeMenu(QMenu& menu, DocumentChoices& choices);
void fillAblationMenu(QMenu& menu, DocumentChoices& choices);

}  // namespace hs::window
