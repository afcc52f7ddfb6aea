#include "control/session_archive.h"

#include "base/failure.h"
#include "render/translate.h"

namespace hs {
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

/// A number of a JSON file is finite, but may be 1e300.
bool isNumberWithin(const Json& json, double least, double most)
{
    return json.is_number() && json.get<double>() >= least && json.get<double>() <= most;
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

void SessionWriter::ablations(const char* name, const std::map<HeadId, HeadAblation::Kind>& value)
{
    Tree tree = Tree::object();
    for (const auto& [head, kind] : value)
        if (const std::string_view stored = storedName(kind); !stored.empty())
            tree[toString(head)] = stored;
    m_tree[name] = std::move(tree);
}

SessionReader::SessionReader(const Json& tree, std::string file, std::string place)
    : m_tree(tree), m_file(std::move(file)), m_place(std::move(place))
{
    if (!tree.is_object())
        refuse({}, tr("an object in braces"));
}

void SessionReader::text(const char* name, std::string& value) const
{
    const Json* const found = find(name);
    if (found && !found->is_string())
        refuse(name, tr("a text in quotation marks"));
    if (found)
        value = found->get<std::string>();
}

void SessionReader::text(const char* name, QString& value) const
{
    if (!find(name))
        return;
    std::string stored;
    text(name, stored);
    value = QString::fromStdString(stored);
}

void SessionReader::flag(const char* name, bool& value) const
{
    const Json* const found = find(name);
    if (found && !found->is_boolean())
        refuse(name, tr("true or false"));
    if (found)
        value = found->get<bool>();
}

void SessionReader::count(const char* name, int& value, int least, int most) const
{
    const Json* const found = find(name);
    if (!found)
        return;
    if (!found->is_number_integer() || !isNumberWithin(*found, least, most))
        refuse(name, tr("a whole number from %1 to %2").arg(least).arg(most));
    value = found->get<int>();
}

void SessionReader::count(const char* name, std::optional<int>& value, int least, int most) const
{
    if (!find(name))
        return;
    int stored = 0;
    count(name, stored, least, most);
    value = stored;
}

void SessionReader::number(const char* name, double& value, double least, double most) const
{
    const Json* const found = find(name);
    if (!found)
        return;
    if (!isNumberWithin(*found, least, most))
        refuse(name, tr("a number from %1 to %2").arg(least).arg(most));
    value = found->get<double>();
}

void SessionReader::point(const char* name, QPointF& value) const
{
    const Json* const found = find(name);
    if (!found)
        return;
    if (!found->is_array() || found->size() != 2 || !isNumberWithin((*found)[0], -kFarthest, kFarthest) ||
        !isNumberWithin((*found)[1], -kFarthest, kFarthest))
        refuse(name, tr("a place such as [1.5, 2]"));
    value = {(*found)[0].get<double>(), (*found)[1].get<double>()};
}

void SessionReader::bytes(const char* name, QByteArray& value) const
{
    std::string stored;
    text(name, stored);
    auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromStdString(stored),
                                                  QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        refuse(name, tr("bytes in base64"));
    if (find(name))
        value = *decoded;
}

void SessionReader::head(const char* name, std::optional<HeadId>& value) const
{
    if (const Json* const found = find(name))
        value = headOf(name, *found);
}

void SessionReader::heads(const char* name, std::vector<HeadId>& value) const
{
    const Json* const found = find(name);
    if (!found)
        return;
    if (!found->is_array())
        refuse(name, tr("a list of heads such as [\"L3H7\"]"));
    value.clear();
    for (const Json& head : *found)
        value.push_back(headOf(name, head));
}

void SessionReader::heads(const char* name, std::set<HeadId>& value) const
{
    std::vector<HeadId> list(value.begin(), value.end());
    heads(name, list);
    value = {list.begin(), list.end()};
}

void SessionReader::ablations(const char* name, std::map<HeadId, HeadAblation::Kind>& value) const
{
    const Json* const found = find(name);
    if (!found)
        return;
    if (!found->is_object())
        refuse(name, tr("a list of heads such as {\"L3H7\": \"zero\"}"));
    value.clear();
    for (const auto& [head, kind] : found->items())
        value[headOf(name, head)] = wordOf<HeadAblation::Kind>(std::string(name) + '.' + head, kind);
}

const Json* SessionReader::find(const char* name) const
{
    const auto found = m_tree.find(name);
    return found == m_tree.end() || found->is_null() ? nullptr : &*found;
}

HeadId SessionReader::headOf(const char* name, const Json& json) const
{
    const Result<HeadId> head =
        parseHead(json.is_string() ? json.get_ref<const std::string&>() : std::string());
    if (!head)
        refuse(name, tr("made of heads such as \"L3H7\""));
    return *head;
}

std::string SessionReader::placeOf(const std::string& name) const
{
    if (m_place.empty() || name.empty())
        return m_place + name;
    return m_place + '.' + name;
}

void SessionReader::refuseWord(const std::string& name, const std::vector<std::string_view>& choices) const
{
    QStringList quoted;
    for (const std::string_view choice : choices)
        quoted.append(QLatin1Char('"') +
                      QString::fromUtf8(choice.data(), static_cast<qsizetype>(choice.size())) +
                      QLatin1Char('"'));
    refuse(name, tr("one of %1").arg(quoted.join(QLatin1String(", "))));
}

void SessionReader::refuse(const std::string& name, const QString& expected) const
{
    const QString message = tr("%1: \"%2\" should be %3; correct it, or take it out for the default.");
    fail(ErrorCode::BadFile,
         message.arg(QString::fromStdString(m_file), QString::fromStdString(placeOf(name)), expected)
             .toStdString());
}

}  // namespace hs
