#pragma once

#include <string>
#include <vector>

namespace hs::app {

/// A number with its sign and four digits behind the point.
std::string signedNumber(double value);

/// Rows of a name and some values, in columns for a terminal.
class TextTable {
public:
    void add(std::string name, std::vector<std::string> values);
    std::string text() const;

private:
    struct Row {
        std::string name;
        std::vector<std::string> values;
    };
    std::vector<Row> m_rows;
};

}  // namespace hs::app
