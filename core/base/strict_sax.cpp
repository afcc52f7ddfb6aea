#include "base/strict_sax.h"

namespace hs {
namespace {

constexpr int kDeepestNesting = 128;

}  // namespace

bool StrictSax::read(std::string_view text)
{
    // The parser takes a zero byte for the end of the text; in JSON it is an error.
    if (text.find('\0') != std::string_view::npos)
        return refuse("is not valid JSON");
    return Json::sax_parse(text.begin(), text.end(), this) && m_problem.empty();
}

bool StrictSax::refuse(std::string problem)
{
    m_problem = std::move(problem);
    return false;
}

/// Whether the plain value just read is part of a skipped one.
bool StrictSax::isSkipped()
{
    if (!m_isSkipping)
        return false;
    m_isSkipping = m_depth > m_skipDepth;
    return true;
}

bool StrictSax::open()
{
    return ++m_depth <= kDeepestNesting || refuse("is nested too deeply");
}

/// Leaves an object or array; returns whether it was part of a skipped value.
bool StrictSax::close()
{
    --m_depth;
    return isSkipped();
}

bool StrictSax::null()
{
    return isSkipped() || onNull();
}

bool StrictSax::boolean(bool)
{
    return isSkipped() || refuse("holds true or false where neither belongs");
}

bool StrictSax::number_integer(std::int64_t)
{
    return isSkipped() || refuse("holds a negative number");
}

bool StrictSax::number_unsigned(std::uint64_t value)
{
    return isSkipped() || onNumber(value);
}

bool StrictSax::number_float(double, const std::string&)
{
    return isSkipped() || refuse("holds a number that is fractional or too large");
}

bool StrictSax::string(std::string& value)
{
    return isSkipped() || onString(value);
}

bool StrictSax::binary(Json::binary_t&)
{
    return refuse("is not valid JSON");
}

bool StrictSax::start_object(std::size_t)
{
    return (m_isSkipping || onObject()) && open();
}

bool StrictSax::key(std::string& name)
{
    return m_isSkipping || onKey(name);
}

bool StrictSax::end_object()
{
    return close() || onObjectEnd();
}

bool StrictSax::start_array(std::size_t)
{
    return (m_isSkipping || onArray()) && open();
}

bool StrictSax::end_array()
{
    return close() || onArrayEnd();
}

bool StrictSax::parse_error(std::size_t, const std::string&, const Json::exception&)
{
    return refuse("is not valid JSON");
}

}  // namespace hs
