#include "app/commands/head_corpus.h"

#include "app/support/workspace.h"
#include "model/environment.h"
#include "train/named_prompts.h"

#include <algorithm>
#include <filesystem>

namespace hs::app {
namespace {

namespace fs = std::filesystem;

bool isPromptSet(const std::string& where)
{
    const std::string ending = fs::path(where).extension().string();
    return where.starts_with("task:") || fs::is_directory(where) || ending == ".jsonl" || ending == ".csv" ||
           ending == ".json";
}

}  // namespace

std::string corpusPath(const std::string& name)
{
    if (name != kShippedText)
        return name;
    const fs::path file = model::Environment::fromProcess().shippedTexts / "shakespeare.txt";
    if (!fs::is_regular_file(file))
        fail(ErrorCode::NotFound, "The text that comes with the program is not where it should be (" +
                                      file.string() +
                                      "); reinstall HeadScope, or give a text with --corpus.");
    return file.string();
}

HeadCorpus::HeadCorpus(const engine::Workspace& workspace, Options options)
    : m_workspace(workspace), m_options(std::move(options))
{
    if (isPromptSet(m_options.where)) {
        m_prompts = train::openPrompts(m_options.where, text::PromptNeeds::Text, workspace.tokenizer.get());
        m_rows = std::min(m_prompts->count(), m_options.rows);
        return;
    }
    m_text = corpusText(workspace, m_options.where, m_options.length,
                        std::int64_t{m_options.rows} * m_options.length, !m_options.withoutBos);
    m_rows = static_cast<int>(std::min<std::int64_t>(m_text->rows, m_options.rows));
    if (m_rows > 0 && m_text->row(m_rows - 1).size() < 2)
        --m_rows;  // of the last, nothing could be said
    if (m_rows == 0)
        fail(ErrorCode::BadRequest, m_options.where + " has too little text; give a longer one.");
}

std::optional<HeadCorpus::Row> HeadCorpus::next()
{
    if (m_prompts)
        return nextPrompt();
    if (m_next == m_rows)
        return {};
    const int number = m_next++;
    return Row{number, m_text->row(number)};
}

std::optional<HeadCorpus::Row> HeadCorpus::nextPrompt()
{
    while (m_next < m_rows) {
        const std::optional<text::SetPrompt> prompt = m_prompts->next();
        if (!prompt)
            return {};
        ++m_next;
        auto tokens = doneOrLeftOut(*prompt, m_leftOut, [&] {
            PromptArguments words;
            words.text = prompt->text;
            words.withoutBos = m_options.withoutBos;
            std::vector<std::int64_t> ids = promptTokens(words, m_workspace.tokenizer.get());
            if (ids.size() < 2 || std::ssize(ids) > m_workspace.model->spec().context)
                fail(ErrorCode::BadRequest, "It has " + std::to_string(ids.size()) + " tokens; give 2 to " +
                                                std::to_string(m_workspace.model->spec().context) + ".");
            return ids;
        });
        if (tokens)
            return Row{prompt->index, std::move(*tokens)};
    }
    return {};
}

}  // namespace hs::app
