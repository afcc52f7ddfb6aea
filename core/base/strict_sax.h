#pragma once

#include "base/json.h"

#include <cstdint>
#include <string>

namespace hs {

/// Reads JSON without building a tree, unlike JsonReader, which reads one: a header of tensors may be large
/// or deeply nested, and a tree of it would take many times its size. Every value is an error unless a
/// subclass accepts it or has called `skipValue` to skip the next one, whatever it is.
class StrictSax : public nlohmann::json_sax<Json> {
public:
    /// Why reading stopped; empty when it did not.
    const std::string& problem() const { return m_problem; }

    /// Parses the whole text; the reason is in `problem` where it returns false.
    bool read(std::string_view text);

    bool null() final;
    bool boolean(bool value) final;
    bool number_integer(std::int64_t value) final;
    bool number_unsigned(std::uint64_t value) final;
    bool number_float(double value, const std::string& text) final;
    bool string(std::string& value) final;
    bool binary(Json::binary_t& value) final;
    bool start_object(std::size_t size) final;
    bool key(std::string& name) final;
    bool end_object() final;
    bool start_array(std::size_t size) final;
    bool end_array() final;
    bool parse_error(std::size_t position, const std::string& token, const Json::exception& error) final;

protected:
    virtual bool onNull() { return refuse("holds a null where none belongs"); }
    virtual bool onNumber(std::uint64_t) { return refuse("holds a number where none belongs"); }
    virtual bool onString(std::string&) { return refuse("holds a text where none belongs"); }
    virtual bool onObject() { return refuse("holds an object where none belongs"); }
    virtual bool onKey(std::string&) { return true; }
    virtual bool onObjectEnd() { return true; }
    virtual bool onArray() { return refuse("holds a list where none belongs"); }
    virtual bool onArrayEnd() { return true; }

    /// Objects and arrays around the value being read.
    int depth() const { return m_depth; }
    void skipValue()
    {
        m_isSkipping = true;
        m_skipDepth = m_depth;
    }
    bool refuse(std::string problem);

private:
    bool isSkipped();
    bool open();
    bool close();

    std::string m_problem;
    int m_depth = 0;
    int m_skipDepth = 0;
    bool m_isSkipping = false;
};

}  // namespace hs
