#include "control/session/session_archive.h"

#include "service/graph_trees.h"

#include <cmath>
#include <limits>

namespace hs::control {
namespace {

constexpr double kFarthest = 1e9;

template <class Heads>
SessionWriter::Tree listOf(const Heads& heads)
{
    SessionWriter::Tree list = SessionWriter::Tree::array();
    for (const HeadId head : heads)
        list.push_back(toString(head));
    return list;
}

/// The head or MLP with that name, found in or at the field.
HeadId unitNamed(const JsonReader& field, const Json& name)
{
    const Result<HeadId> unit =
        parseUnit(name.is_string() ? name.get_ref<const std::string&>() : std::string());
    if (!unit)
        field.refuse("made of heads such as \"L3H7\"");
    return *unit;
}

HeadId headNamed(const JsonReader& field, const Json& name)
{
    const HeadId head = unitNamed(field, name);
    if (head.isMlp())
        field.refuse("made of heads such as \"L3H7\"");
    return head;
}

}  // namespace

void SessionWriter::count(const char* name, std::optional<int> value, int /*least*/, int /*most*/)
{
    m_tree[name] = value ? Tree(*value) : Tree();
}

void SessionWriter::head(const char* name, std::optional<HeadId> value)
{
    m_tree[name] = value ? Tree(toString(*value)) : Tree();
}

void SessionWriter::heads(const char* name, const std::vector<HeadId>& value)
{
    m_tree[name] = listOf(value);
}

void SessionWriter::heads(const char* name, const std::set<HeadId>& value)
{
    m_tree[name] = listOf(value);
}

void SessionWriter::ablations(const char* name, const std::map<HeadId, HeadChange>& value)
{
    Tree tree = Tree::object();
    for (const auto& [head, change] : value)
        tree[toString(head)] = toString(change);
    m_tree[name] = std::move(tree);
}

void SessionWriter::cellMethod(const char* name, const CellMethod& value)
{
    m_tree[name] = toString(value);
}

void SessionWriter::nodes(const char* name, const std::vector<features::NodeId>& value)
{
    m_tree[name] = service::treeOf(value);
}

void SessionWriter::groups(const char* name, const std::vector<features::Supernode>& value)
{
    Tree list = Tree::array();
    for (const features::Supernode& group : value)
        list.push_back({{"name", group.name}, {"members", service::treeOf(group.members)}});
    m_tree[name] = std::move(list);
}

void SessionWriter::labels(const char* name, const std::map<FeatureId, std::string>& value)
{
    m_tree[name] = service::treeOf(value);
}

void SessionWriter::scales(const char* name, const std::vector<FeatureScale>& value)
{
    Tree list = Tree::array();
    for (const FeatureScale& scale : value)
        list.push_back(toString(scale));
    m_tree[name] = std::move(list);
}

void SessionWriter::adapters(const char* name, const std::vector<engine::AdapterChoice>& value)
{
    Tree list = Tree::array();
    for (const engine::AdapterChoice& choice : value)
        list.push_back(toString(choice));
    m_tree[name] = std::move(list);
}

SessionReader::SessionReader(const Json& tree, const std::string& file)
    : m_fields(tree, file, "correct it, or take it out for the default")
{
}

void SessionReader::text(const char* name, QString& value) const
{
    value = QString::fromStdString(m_fields[name].text(value.toStdString()));
}

void SessionReader::count(const char* name, int& value, int least, int most) const
{
    value = m_fields[name].integer(least, most, value);
}

void SessionReader::count(const char* name, std::optional<int>& value, int least, int most) const
{
    if (const JsonReader field = m_fields[name])
        value = field.integer(least, most);
}

void SessionReader::number(const char* name, double& value, double least, double most) const
{
    value = m_fields[name].number(least, most, value);
}

void SessionReader::point(const char* name, QPointF& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    const Json& list = field.list();
    const auto isPlace = [](const Json& json) {
        return json.is_number() && std::abs(json.get<double>()) <= kFarthest;
    };
    if (list.size() != 2 || !isPlace(list[0]) || !isPlace(list[1]))
        field.refuse("a place such as [1.5, 2]");
    value = {list[0].get<double>(), list[1].get<double>()};
}

void SessionReader::bytes(const char* name, QByteArray& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromStdString(field.text()),
                                                  QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        field.refuse("bytes in base64");
    value = *decoded;
}

void SessionReader::head(const char* name, std::optional<HeadId>& value) const
{
    if (const JsonReader field = m_fields[name])
        value = headNamed(field, field.json());
}

void SessionReader::heads(const char* name, std::vector<HeadId>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    value.clear();
    for (const Json& head : field.list())
        value.push_back(headNamed(field, head));
}

void SessionReader::heads(const char* name, std::set<HeadId>& value) const
{
    std::vector<HeadId> list(value.begin(), value.end());
    heads(name, list);
    value = {list.begin(), list.end()};
}

void SessionReader::ablations(const char* name, std::map<HeadId, HeadChange>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    if (!field.json().is_object())
        field.refuse("a list of heads such as {\"L3H7\": \"zero\"}");
    value.clear();
    for (const auto& [head, change] : field.json().items())
        value[unitNamed(field, head)] = headChangeFrom(field[head.c_str()]);
}

void SessionReader::cellMethod(const char* name, CellMethod& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    const Result<CellMethod> method = parseCellMethod(field.text());
    if (!method)
        field.refuse("one of \"zero\", \"scale=0.5\", \"renormalise\", \"patch\"");
    value = *method;
}

void SessionReader::nodes(const char* name, std::vector<features::NodeId>& value) const
{
    if (const JsonReader field = m_fields[name])
        value = service::nodesFrom(field);
}

void SessionReader::groups(const char* name, std::vector<features::Supernode>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    value.clear();
    for (const JsonReader& group : field.items())
        value.push_back({group["name"].text(), service::nodesFrom(group["members"])});
}

void SessionReader::labels(const char* name, std::map<FeatureId, std::string>& value) const
{
    if (const JsonReader field = m_fields[name])
        value = service::labelsFrom(field);
}

void SessionReader::scales(const char* name, std::vector<FeatureScale>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    value.clear();
    for (const JsonReader& item : field.items()) {
        const Result<FeatureScale> scale = parseFeatureScale(item.text());
        if (!scale)
            item.refuse("a scaled feature like \"L3F120=0\"");
        value.push_back(*scale);
    }
}

void SessionReader::adapters(const char* name, std::vector<engine::AdapterChoice>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    value.clear();
    for (const JsonReader& item : field.items()) {
        const Result<engine::AdapterChoice> choice = engine::parseAdapterChoice(item.text());
        if (!choice)
            item.refuse("an adapter like \"/models/lora:0.5\"");
        value.push_back(*choice);
    }
}

void SessionReader::tokens(const char* name, std::vector<std::int64_t>& value) const
{
    const JsonReader field = m_fields[name];
    if (!field)
        return;
    value.clear();
    for (const JsonReader& token : field.items())
        value.push_back(token.integer(0, std::numeric_limits<int>::max()));
}

}  // namespace hs::control
