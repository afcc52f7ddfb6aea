#include "text/set_records.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

namespace hs::text {
namespace {

constexpr const char* kTooLong = "is longer than a prompt can be; cut it into several.";

std::ifstream openedRecords(const std::string& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
        fail(ErrorCode::NotFound, "Cannot read " + file + "; check the path.");
    if (char mark[3] = {}; !stream.read(mark, 3) || std::string_view(mark, 3) != "\xef\xbb\xbf") {
        stream.clear();
        stream.seekg(0);
    }
    return stream;
}

bool isBlank(const std::string& line)
{
    return line.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Lines with their numbers; of one that is too long, the rest is passed over.
class NumberedLines {
public:
    explicit NumberedLines(const std::string& file) : m_file(file), m_stream(openedRecords(file)) {}

    /// The next line, up to "\n" or "\r\n". False at the end.
    bool next(std::string& line, bool& isTooLong)
    {
        line.clear();
        isTooLong = false;
        auto& buffer = *m_stream.rdbuf();
        int byte = buffer.sbumpc();
        if (byte == std::char_traits<char>::eof())
            return false;
        ++m_number;
        for (; byte != std::char_traits<char>::eof() && byte != '\n'; byte = buffer.sbumpc()) {
            isTooLong = isTooLong || line.size() >= kMostRecordBytes;
            if (!isTooLong)
                line += static_cast<char>(byte);
        }
        if (line.ends_with('\r'))
            line.pop_back();
        return true;
    }
    std::string place(int number) const { return "Line " + std::to_string(number) + " of " + m_file; }
    int number() const { return m_number; }

private:
    std::string m_file;
    std::ifstream m_stream;
    int m_number = 0;
};

class LineRecords : public SetRecords {
public:
    LineRecords(const std::string& file, bool isJson) : m_lines(file), m_isJson(isJson) {}

    std::optional<SetRecord> next() override
    {
        std::string line;
        bool isTooLong = false;
        while (m_lines.next(line, isTooLong)) {
            if (isBlank(line))
                continue;
            SetRecord record{m_lines.place(m_lines.number()), {}, {}};
            if (isTooLong)
                record.problem = record.where + " " + kTooLong;
            else if (!m_isJson)
                record.fields = {{"text", line}};
            else if (auto parsed = guarded([&] { return parseJson(line, record.where); }))
                record.fields = std::move(*parsed);
            else
                record.problem = record.where + " is no JSON; write an object in braces on each line.";
            return record;
        }
        return {};
    }

private:
    NumberedLines m_lines;
    bool m_isJson;
};

/// Comma-separated values as RFC 4180 has them: fields in quotes may hold commas, line breaks and doubled quotes.
class CsvRecords : public SetRecords {
public:
    explicit CsvRecords(const std::string& file) : m_file(file), m_lines(file)
    {
        Row header = row();
        for (std::string& name : header.fields)
            name = name.substr(std::min(name.size(), name.find_first_not_of(' ')));
        const std::set<std::string> names(header.fields.begin(), header.fields.end());
        if (!header.problem.empty() || names.size() != header.fields.size() || names.contains(""))
            fail(ErrorCode::BadFile,
                 file + " has no row of names that differ; let its first row say text,target,versus.");
        m_names = std::move(header.fields);
    }

    std::optional<SetRecord> next() override
    {
        Row values = row();
        if (values.line == 0)
            return {};
        SetRecord record{m_lines.place(values.line), Json::object(), {}};
        if (!values.problem.empty())
            record.problem = record.where + " " + values.problem;
        else if (values.fields.size() != m_names.size())
            record.problem = record.where + " has " + formatCount(std::ssize(values.fields)) +
                             " fields where the first row has " + formatCount(std::ssize(m_names)) +
                             "; put a field that holds a comma in quotes.";
        else
            for (std::size_t field = 0; field < m_names.size(); ++field)
                if (!values.fields[field].empty())  // an empty field is none
                    record.fields[m_names[field]] = std::move(values.fields[field]);
        return record;
    }

private:
    struct Row {
        int line = 0;  // where it begins; 0: there is none
        std::vector<std::string> fields;
        std::string problem;
    };

    Row row()
    {
        Row row;
        std::string line;
        bool isTooLong = false;
        do {
            if (!m_lines.next(line, isTooLong))
                return {};
        } while (isBlank(line));
        row.line = m_lines.number();
        std::string field;
        bool isQuoted = false;
        std::size_t bytes = 0;
        for (std::size_t at = 0;; ++at) {
            if (isTooLong || bytes > kMostRecordBytes)
                row.problem = kTooLong;
            if (at == line.size()) {
                if (!isQuoted)
                    break;
                field += '\n';
                bytes += line.size();
                if (!row.problem.empty())
                    field.clear();
                if (!m_lines.next(line, isTooLong)) {
                    row.problem = "opens a quote that is never closed; close it.";
                    break;
                }
                at = static_cast<std::size_t>(-1);
            } else if (isQuoted) {
                if (line[at] != '"')
                    field += line[at];
                else if (line[at + 1] == '"')  // at the end: the terminating zero
                    field += line[++at];
                else
                    isQuoted = false;
            } else if (line[at] == '"' && field.empty()) {
                isQuoted = true;
            } else if (line[at] == '"') {
                row.problem = "has a quote within a field that is not quoted; double it and quote the field.";
            } else if (line[at] == ',') {
                row.fields.push_back(std::move(field));
                field.clear();
            } else {
                field += line[at];
            }
        }
        row.fields.push_back(std::move(field));
        return row;
    }

    std::string m_file;
    NumberedLines m_lines;
    std::vector<std::string> m_names;
};

class FolderRecords : public SetRecords {
public:
    explicit FolderRecords(const std::string& folder)
    {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file() && entry.path().extension() == ".txt")
                m_files.push_back(entry.path().string());
        std::ranges::sort(m_files);
    }

    std::optional<SetRecord> next() override
    {
        if (m_next == m_files.size())
            return {};
        SetRecord record{m_files[m_next++], {}, {}};
        if (std::filesystem::file_size(record.where) > kMostRecordBytes) {
            record.problem = record.where + " " + kTooLong;
            return record;
        }
        std::ifstream stream = openedRecords(record.where);
        std::string text{std::istreambuf_iterator<char>(stream), {}};
        text.resize(text.find_last_not_of("\r\n") + 1);  // npos + 1 is 0
        record.fields = {{"text", std::move(text)}};
        return record;
    }

private:
    std::vector<std::string> m_files;
    std::size_t m_next = 0;
};

bool beginsWithBrace(const std::string& file)
{
    std::ifstream stream = openedRecords(file);
    char first = 0;
    return stream >> first && first == '{';
}

}  // namespace

std::unique_ptr<SetRecords> openTable(const std::string& file)
{
    return std::make_unique<CsvRecords>(file);
}

std::unique_ptr<SetRecords> openRecords(const std::string& where)
{
    if (std::filesystem::is_directory(where))
        return std::make_unique<FolderRecords>(where);
    std::string ending = std::filesystem::path(where).extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending == ".csv")
        return openTable(where);
    const bool isJson =
        ending == ".jsonl" || ending == ".json" || (ending != ".txt" && beginsWithBrace(where));
    return std::make_unique<LineRecords>(where, isJson);
}

}  // namespace hs::text
