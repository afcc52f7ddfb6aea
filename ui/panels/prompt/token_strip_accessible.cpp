#include "panels/prompt/token_strip_accessible.h"

#include "panels/prompt/token_strip.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace hs::panels {
namespace {

/// One token. Owned by Qt's cache of accessible objects; invalid once the strip or the token is gone.
class ChipAccessible : public QAccessibleInterface {
public:
    ChipAccessible(TokenStrip* strip, int token) : m_strip(strip), m_token(token) {}

    int token() const { return m_token; }
    bool isValid() const override { return m_strip && m_token < m_strip->count(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_strip); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::Role role() const override { return QAccessible::ListItem; }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name && isValid() ? m_strip->describe(m_token) : QString();
    }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect chip = m_strip->chipRect(m_token);
        return {m_strip->viewport()->mapToGlobal(chip.topLeft()), chip.size()};
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        if (isValid()) {
            const ChipState chip = m_strip->stateOf(m_token);
            state.focused = chip.hasFocus;
            state.selected = chip.isKey || chip.isQuery;
            state.offscreen = !m_strip->viewport()->rect().intersects(m_strip->chipRect(m_token));
        }
        return state;
    }

private:
    QPointer<TokenStrip> m_strip;
    int m_token;
};

class StripAccessible : public QAccessibleWidget {
public:
    explicit StripAccessible(TokenStrip* strip) : QAccessibleWidget(strip, QAccessible::List), m_strip(strip)
    {
    }
    ~StripAccessible() override
    {
        for (const auto& [token, id] : m_children)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return m_strip ? m_strip->count() : 0; }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto found = m_children.find(index);
        if (found != m_children.end())
            return QAccessible::accessibleInterface(found->second);
        auto* const chip = new ChipAccessible(m_strip, index);
        m_children.emplace(index, QAccessible::registerAccessibleInterface(chip));
        return chip;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* const chip = dynamic_cast<const ChipAccessible*>(child);
        return chip && chip->isValid() ? chip->token() : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        return m_strip ? child(m_strip->tokenAt(m_strip->viewport()->mapFromGlobal(QPoint(x, y)))) : nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        return m_strip && m_strip->hasFocus() ? child(m_strip->currentToken()) : nullptr;
    }

private:
    QPointer<TokenStrip> m_strip;
    mutable std::map<int, QAccessible::Id> m_children;
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* const strip = qobject_cast<TokenStrip*>(object);
    return strip ? new StripAccessible(strip) : nullptr;
}

}  // namespace

void installTokenStripAccessibility()
{
    QAccessible::installFactory(makeAccessible);
}

}  // namespace hs::panels
