#pragma once

#include <QString>

#include <vector>

namespace hs::guide {

/// A place in the guide: a page, and how far down it was scrolled.
struct Place {
    QString page;
    int scroll = 0;  // pixels from the top

    friend bool operator==(const Place&, const Place&) = default;
};

/// The path through the guide, as a browser remembers it. A value.
class History {
public:
    bool hasBack() const { return m_current > 0; }
    bool hasForward() const { return m_current + 1 < m_places.size(); }
    const Place& current() const { return m_places[m_current]; }

    /// Leaves the current place, scrolled to `scroll`, for another; the forward history is dropped.
    void visit(const QString& page, int scroll)
    {
        leave(scroll);
        m_places.resize(m_current + 1);
        m_places.push_back({page, 0});
        ++m_current;
    }

    const Place& back(int scroll)
    {
        leave(scroll);
        m_current -= hasBack() ? 1 : 0;
        return current();
    }

    const Place& forward(int scroll)
    {
        leave(scroll);
        m_current += hasForward() ? 1 : 0;
        return current();
    }

    explicit History(const QString& first) : m_places{{first, 0}} {}

private:
    void leave(int scroll) { m_places[m_current].scroll = scroll; }

    std::vector<Place> m_places;
    std::size_t m_current = 0;
};

}  // namespace hs::guide
