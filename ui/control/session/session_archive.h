#pragma once

#include "base/json_reader.h"
#include "control/document/document.h"

#include <QByteArray>
#include <QPointF>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hs::control {

/// Both archives have the same calls, one for each kind of field, so that a single function naming a
/// type's fields can both write and read it.

/// Puts fields into a JSON object, in the order of the calls.
class SessionWriter {
public:
    static constexpr bool kReads = false;
    using Tree = nlohmann::ordered_json;

    void text(const char* name, const QString& value) { m_tree[name] = value.toStdString(); }
    void text(const char* name, const std::string& value) { m_tree[name] = value; }
    void flag(const char* name, bool value) { m_tree[name] = value; }
    void count(const char* name, int value, int /*least*/, int /*most*/) { m_tree[name] = value; }
    void count(const char* name, std::optional<int> value, int least, int most);
    void number(const char* name, double value, double /*least*/, double /*most*/) { m_tree[name] = value; }
    void point(const char* name, QPointF value) { m_tree[name] = {value.x(), value.y()}; }
    void bytes(const char* name, const QByteArray& value) { m_tree[name] = value.toBase64().toStdString(); }
    void head(const char* name, std::optional<HeadId> value);
    void heads(const char* name, const std::vector<HeadId>& value);
    void heads(const char* name, const std::set<HeadId>& value);
    void ablations(const char* name, const std::map<HeadId, HeadChange>& value);
    void cellMethod(const char* name, const CellMethod& value);
    void nodes(const char* name, const std::vector<features::NodeId>& value);
    void groups(const char* name, const std::vector<features::Supernode>& value);
    void labels(const char* name, const std::map<FeatureId, std::string>& value);
    void scales(const char* name, const std::vector<FeatureScale>& value);
    void adapters(const char* name, const std::vector<engine::AdapterChoice>& value);
    void tokens(const char* name, const std::vector<std::int64_t>& value) { m_tree[name] = value; }
    template <class Enum>
    void word(const char* name, Enum value)
    {
        m_tree[name] = wordOf(value);
    }
    template <class Body>
    void object(const char* name, Body&& body)
    {
        SessionWriter inner;
        body(inner);
        m_tree[name] = std::move(inner.m_tree);
    }

    Tree take() { return std::move(m_tree); }

private:
    Tree m_tree = Tree::object();
};

/// Takes fields out of an untrusted JSON object. Absent or null fields stay as they are; anything
/// unexpected throws Failure with the field's place and the remedy.
class SessionReader {
public:
    static constexpr bool kReads = true;

    SessionReader(const Json& tree, const std::string& file);

    void text(const char* name, QString& value) const;
    void text(const char* name, std::string& value) const { value = m_fields[name].text(value); }
    void flag(const char* name, bool& value) const { value = m_fields[name].flag(value); }
    void count(const char* name, int& value, int least, int most) const;
    void count(const char* name, std::optional<int>& value, int least, int most) const;
    void number(const char* name, double& value, double least, double most) const;
    void point(const char* name, QPointF& value) const;
    void bytes(const char* name, QByteArray& value) const;
    void head(const char* name, std::optional<HeadId>& value) const;
    void heads(const char* name, std::vector<HeadId>& value) const;
    void heads(const char* name, std::set<HeadId>& value) const;
    void ablations(const char* name, std::map<HeadId, HeadChange>& value) const;
    void cellMethod(const char* name, CellMethod& value) const;
    void nodes(const char* name, std::vector<features::NodeId>& value) const;
    void groups(const char* name, std::vector<features::Supernode>& value) const;
    void labels(const char* name, std::map<FeatureId, std::string>& value) const;
    void scales(const char* name, std::vector<FeatureScale>& value) const;
    void adapters(const char* name, std::vector<engine::AdapterChoice>& value) const;
    void tokens(const char* name, std::vector<std::int64_t>& value) const;
    template <class Enum>
    void word(const char* name, Enum& value) const
    {
        value = m_fields[name].word(value);
    }
    template <class Body>
    void object(const char* name, Body&& body) const
    {
        if (const JsonReader fields = m_fields[name]) {
            const SessionReader inner(fields);
            body(inner);
        }
    }

private:
    explicit SessionReader(JsonReader fields) : m_fields(std::move(fields)) {}

    JsonReader m_fields;
};

}  // namespace hs::control
