#pragma once

#include "base/enum_words.h"
#include "base/json.h"

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace hs {

/// The name of a field, or several spellings of it; the first one present counts.
class FieldName {
public:
    template <std::convertible_to<const char*>... Others>
    FieldName(const char* name, Others... others) : m_spellings{name, others...}
    {
    }

    const std::array<const char*, 4>& spellings() const { return m_spellings; }  // null: no more

private:
    std::array<const char*, 4> m_spellings;
};

/// A place in untrusted JSON, an object's field or an item of a list, which may be absent. A value that is
/// absent, of another kind or out of range throws a Failure that names source and place, says what is
/// expected and ends with the remedy. Null counts as absent, except where it stands for NaN.
/// The JSON must outlive its readers.
class JsonReader {
public:
    static constexpr double kLargest = std::numeric_limits<double>::max();

    /// `source` names the JSON ("sweep.json"), `remedy` is what helps ("make it again").
    JsonReader(const Json& json, std::string source, std::string remedy);

    explicit operator bool() const { return m_json && !m_json->is_null(); }
    bool isNull() const { return m_json && m_json->is_null(); }
    const Json& json() const;  // refuses an absent value
    const Json& list() const;  // and anything but a list
    const std::string& place() const { return m_place; }

    JsonReader operator[](const FieldName& name) const;
    JsonReader operator[](std::size_t index) const;

    /// A list's items in turn.
    class Items;
    Items items() const;
    Items items(std::size_t count) const;  // refuses a list of another length

    // The value here, or `otherwise` where there is none.
    int integer(int least, int most, std::optional<int> otherwise = {}) const;
    double number(double least = -kLargest, double most = kLargest,
                  std::optional<double> otherwise = {}) const;
    bool flag(std::optional<bool> otherwise = {}) const;
    std::string text(std::optional<std::string> otherwise = {}) const;
    template <class Enum>
    Enum word() const
    {
        const Json& found = json();
        if (const auto value = found.is_string() ? fromWord<Enum>(found.get_ref<const std::string&>())
                                                 : std::optional<Enum>())
            return *value;
        refuse("one of " + listOfWords<Enum>("\""));
    }
    template <class Enum>
    Enum word(Enum otherwise) const
    {
        return *this ? word<Enum>() : otherwise;
    }

    /// Reads what numberOrNull wrote: null is NaN.
    double numberOrNaN() const;

    /// Throws a Failure that says what should be here instead.
    [[noreturn]] void refuse(const std::string& expected) const;
    /// Throws a Failure that says what else is wrong: "ranks a head twice".
    [[noreturn]] void bad(const std::string& what) const;

private:
    struct Origin {
        std::string source;
        std::string remedy;
    };

    JsonReader(const Json* json, std::shared_ptr<const Origin> origin, std::string place);
    [[noreturn]] void say(const std::string& sentence) const;

    const Json* m_json;  // null: nothing there
    std::shared_ptr<const Origin> m_origin;
    std::string m_place;  // "units[3].layer"; empty at the root
};

class JsonReader::Items {
public:
    struct Iterator {
        const JsonReader* list;
        std::size_t index;

        JsonReader operator*() const { return (*list)[index]; }
        Iterator& operator++()
        {
            ++index;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;
    };

    Items(JsonReader list, std::size_t count) : m_list(std::move(list)), m_count(count) {}
    Iterator begin() const { return {&m_list, 0}; }
    Iterator end() const { return {&m_list, m_count}; }

private:
    JsonReader m_list;
    std::size_t m_count;
};

}  // namespace hs
