#pragma once

#include "base/json.h"

#include <memory>
#include <optional>
#include <string>

namespace hs::text {

/// One record of a file, with the names of its fields, or what is wrong with it.
struct SetRecord {
    std::string where;  // "Line 3 of prompts.csv"
    Json fields;        // an object; whatever a JSON line holds
    std::string problem;
};

/// Gives the records of a file in turn and holds one at a time. Throws Failure where the rest cannot be read.
class SetRecords {
public:
    virtual ~SetRecords() = default;
    virtual std::optional<SetRecord> next() = 0;
};

/// Opens a folder of texts (*.txt, by name, each one record), a file *.csv (RFC 4180, names in the first row), JSON lines
/// (where the first character is a brace, unless it is *.txt), or a text, each line of which is a record. A
/// text is the field "text". Empty lines are no records. Throws Failure.
std::unique_ptr<SetRecords> openRecords(const std::string& where);

/// Opens CSV under any name. Throws Failure.
std::unique_ptr<SetRecords> openTable(const std::string& file);

/// Most bytes of one record.
inline constexpr std::size_t kMostRecordBytes = std::size_t{16} << 20;

}  // namespace hs::text
