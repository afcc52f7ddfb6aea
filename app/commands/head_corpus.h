#pragma once

#include "app/support/prompt_file.h"
#include "app/training/corpus_text.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hs::app {

/// The text that comes with the program, by the name that --corpus takes.
inline constexpr const char* kShippedText = "demo:text";

/// Where a corpus is: itself, or the file of the one that comes with the program. Throws Failure.
std::string corpusPath(const std::string& name);

/// What pages of heads are made from: a running text in rows, or a set of prompts, each of which is a row.
class HeadCorpus {
public:
    struct Options {
        std::string where;  // see corpusPath
        int rows = 0;       // at most
        int length = 0;     // tokens of a row of a running text, at most
        bool withoutBos = false;
    };
    HeadCorpus(const engine::Workspace& workspace, Options options);

    struct Row {
        int number = 0;
        std::vector<std::int64_t> tokens;
    };
    /// The next row that can be read. Throws Failure.
    std::optional<Row> next();
    int rows() const { return m_rows; }
    const std::vector<text::LeftOutPrompt>& leftOut() const { return m_leftOut; }

private:
    std::optional<Row> nextPrompt();

    const engine::Workspace& m_workspace;
    Options m_options;
    std::optional<CorpusText> m_text;
    std::optional<text::PromptSet> m_prompts;
    int m_rows = 0;
    int m_next = 0;
    std::vector<text::LeftOutPrompt> m_leftOut;
};

}  // namespace hs::app
