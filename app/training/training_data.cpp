#include "app/training/training_data.h"

#include "app/support/messages.h"
#include "app/support/workspace.h"
#include "base/draws.h"
#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/text_format.h"
#include "model/model_locator.h"
#include "train/model_pairs.h"
#include "train/own_rows.h"
#include "train/task_batches.h"
#include "train/text_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

/// Sixteen hex digits that change when any token does.
std::string fingerprintOf(const std::vector<std::int32_t>& tokens)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::int32_t token : tokens)
        hash = (hash ^ static_cast<std::uint32_t>(token)) * 0x100000001b3;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string rowsRecipe(const TrainingPlan& plan)
{
    return std::to_string(plan.rows) + " rows of " + std::to_string(plan.length);
}

/// The token that the tokenizer puts before a prompt.
std::optional<std::int64_t> tokenBeforePrompts(const text::Tokenizer& tokenizer)
{
    const std::vector<std::int64_t> bare = orThrow(tokenizer.encode("a", /*addSpecial=*/false)).ids;
    const std::vector<std::int64_t> whole = orThrow(tokenizer.encode("a")).ids;
    if (whole.size() <= bare.size() || (!bare.empty() && whole.front() == bare.front()))
        return std::nullopt;
    return whole.front();
}

/// Progress of work that comes again and again: a line for each time.
Hooks recurringHooks(const std::string& what)
{
    auto line = std::make_shared<std::optional<ProgressLine>>();
    const auto show = [line, what](int done, int total) {
        if (!*line)
            line->emplace(what);
        if (const auto callback = (*line)->callback())
            callback(done, total);
        if (done >= total)
            line->reset();
    };
    return {show, interruptToken()};
}

/// Collects the domains of one training.
class LanguageData {
public:
    LanguageData(const LanguageDomains& domains, const model::ArchSpec& spec, const TrainingPlan& plan)
        : m_domains(domains), m_spec(spec), m_plan(plan)
    {
        if (domains.tokenizer)
            m_firstToken = startOfText(*domains.tokenizer);
        if (!m_firstToken)
            m_firstToken = spec.bosToken;
    }

    void addText(const std::string& file)
    {
        ProgressLine progress("Kilobyte");
        const auto stream = std::make_shared<const std::vector<std::int32_t>>(
            train::encodeTextFile(file, *m_domains.tokenizer, {progress.callback(), interruptToken()}));
        train::TextRowOptions options;
        options.length = m_plan.length;
        options.vocabulary = m_spec.vocabulary;
        options.seed = Draws({m_plan.options.seed, m_kinds.size()}).next();
        options.file = file;
        options.name = groupOf(file);
        options.firstToken = m_firstToken;
        m_kinds.push_back(std::make_unique<train::TextRows>(stream, options));
        if (m_firstToken) {
            options.firstToken.reset();
            options.name += kWithoutFirst;
            m_kinds.push_back(std::make_unique<train::TextRows>(stream, options));
        }
        note("tokens " + fingerprintOf(*stream),
             file + ": " + formatCount(static_cast<std::int64_t>(stream->size())) + " tokens");
    }

    void addOwn()
    {
        const engine::Model& writer = *m_domains.writer;
        if (!m_firstToken)
            fail(ErrorCode::BadRequest,
                 writer.facts().name + " has no token that starts a text, so it cannot write by itself; give "
                                       "--data FILE, or add bos_token_id to its config.json.");
        train::OwnRowOptions options;
        options.length = m_plan.length;
        options.firstToken = *m_firstToken;
        options.seed = m_plan.options.seed;
        const double wanted = m_domains.millions * 1e6;
        const bool isEndless = wanted == 0;
        if (!isEndless) {
            options.rows = std::llround(wanted / m_plan.length / 2);
            if (options.rows == 0)
                fail(ErrorCode::BadRequest, "--self asks for " + formatCount(std::llround(wanted)) +
                                                " tokens, but one row with a first token and one without "
                                                "have " +
                                                formatCount(2 * m_plan.length) +
                                                "; give a larger --self or a shorter --length.");
            options.heldOutRows = static_cast<int>(
                std::clamp<std::int64_t>(options.rows / kHeldOutPart, 1, options.heldOutRows));
        }
        const auto sampler = std::make_shared<const train::Sampler>(m_domains.writer, m_domains.writtenIn);
        for (const bool losesFirst : {false, true}) {
            options.losesFirst = losesFirst;
            options.name = std::string("own samples") + (losesFirst ? kWithoutFirst : "");
            m_kinds.push_back(std::make_unique<train::OwnRows>(sampler, options, recurringHooks("Document")));
        }
        const std::string amount =
            isEndless ? "fresh" : formatCount(2 * options.rows * m_plan.length) + " tokens";
        note("own samples, " + amount,
             "what it writes itself: " + (isEndless ? "fresh tokens for each step" : amount));
    }

    TrainingData finish()
    {
        TrainingData data;
        data.recipe = m_recipe + ", " + rowsRecipe(m_plan) +
                      (m_firstToken ? ", half after " + std::to_string(*m_firstToken) : "");
        data.description = m_description + ", " + formatCount(m_plan.rows) + " rows of " +
                           formatCount(m_plan.length) + " a step" +
                           (m_firstToken ? ", half of them beginning with " + firstTokenInWords() : "");
        data.beginnings = m_firstToken ? "half of them with " + firstTokenInWords() + ", half without"
                                       : "with nothing in front of them";
        data.source = std::make_shared<train::RowBatches>(std::move(m_kinds), m_plan.rows, m_plan.length);
        return data;
    }

private:
    static constexpr const char* kWithoutFirst = " without a first token";
    static constexpr std::int64_t kHeldOutPart = 20;  // one in so many

    void note(const std::string& recipe, const std::string& description)
    {
        m_recipe += (m_recipe.empty() ? "" : ", ") + recipe;
        m_description += (m_description.empty() ? "" : "; ") + description;
    }

    /// The file's name, or its whole path where another has the same; without commas, as it heads a column.
    std::string groupOf(const std::string& file) const
    {
        const auto nameOf = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        const auto same = std::ranges::count(m_domains.files, nameOf(file), nameOf);
        std::string group = same > 1 ? file : nameOf(file);
        std::ranges::replace(group, ',', ' ');
        return group;
    }

    std::string firstTokenInWords() const
    {
        const std::string text = m_domains.tokenizer ? m_domains.tokenizer->tokenText(*m_firstToken) : "";
        return "token " + std::to_string(*m_firstToken) + (text.empty() ? "" : " (" + text + ")");
    }

    const LanguageDomains& m_domains;
    const model::ArchSpec& m_spec;
    const TrainingPlan& m_plan;
    std::optional<std::int64_t> m_firstToken;
    std::vector<std::unique_ptr<train::RowSource>> m_kinds;
    std::string m_recipe;
    std::string m_description;
};

}  // namespace

ChosenTokenizer chooseTokenizer(const std::string& where)
{
    const std::filesystem::path path = where;
    const Result<model::ModelFiles> files = model::locateModel(where);
    if (!std::filesystem::exists(path) || (files && files->format == model::ModelFiles::Format::Gguf))
        return tokenizerOf(orThrow(files));
    ChosenTokenizer chosen;
    chosen.tokenizer = openTokenizer(where);
    if (std::filesystem::is_directory(path))
        chosen.folder = path;
    else if (path.filename() == "vocab.json" || path.filename() == "merges.txt")
        chosen.folder = path.parent_path();
    else
        chosen.json = MappedFile::open(path).text();
    return chosen;
}

ChosenTokenizer tokenizerOf(const model::ModelFiles& files)
{
    engine::ModelTokenizer loaded = requireTokenizer(files);
    ChosenTokenizer chosen;
    chosen.tokenizer = std::move(loaded.tokenizer);
    if (loaded.json)
        chosen.json = loaded.json().dump();
    else
        chosen.folder = files.tokenizerFolder;
    return chosen;
}

ChosenTokenizer tokenizerFor(const std::string& given, const model::ModelFiles& files)
{
    if (!given.empty())
        return chooseTokenizer(given);
    const bool hasOne = !files.tokenizerFolder.empty() || files.format == model::ModelFiles::Format::Gguf;
    return hasOne ? tokenizerOf(files) : ChosenTokenizer();
}

std::optional<std::int64_t> startOfText(const text::Tokenizer& tokenizer)
{
    const std::optional<std::int64_t> before = tokenBeforePrompts(tokenizer);
    return before ? before : tokenizer.bosId();
}

TrainingData taskData(const TrainingPlan& plan)
{
    train::TaskBatchOptions options;
    options.rows = plan.rows;
    options.seed = plan.options.seed;
    options.context = plan.length;
    return {std::make_shared<train::TaskBatches>(options), "tasks, " + rowsRecipe(plan),
            "the built-in tasks, " + formatCount(plan.rows) + " prompts a step",
            "each with the tasks' first token"};
}

TrainingData languageData(const LanguageDomains& domains, const model::ArchSpec& spec,
                          const TrainingPlan& plan)
{
    LanguageData data(domains, spec, plan);
    for (const std::string& file : domains.files)
        data.addText(file);
    if (domains.writer)
        data.addOwn();
    return data.finish();
}

TrainingData modelData(const TrainingArguments& given, const std::shared_ptr<const engine::Model>& model,
                       const ChosenTokenizer& chosen, const TrainingPlan& plan, model::DType computedIn)
{
    if (given.isOnTasks) {
        requireTaskWords(chosen.tokenizer.get(), model->facts().name);
        return taskData(plan);
    }
    if (!given.data.empty() && !chosen.tokenizer)
        fail(ErrorCode::NotFound,
             model->facts().name + " has no tokenizer; give --tokenizer DIR, or use --self alone.");
    LanguageDomains domains;
    domains.files = given.data;
    domains.tokenizer = chosen.tokenizer;
    if (given.millions) {
        domains.writer = model;
        domains.millions = *given.millions;
        domains.writtenIn = computedIn;
    }
    return languageData(domains, model->spec(), plan);
}

void requireTaskWords(const text::Tokenizer* tokenizer, const std::string& name)
{
    if (!tokenizer || !train::knowsTaskWords(*tokenizer))
        fail(ErrorCode::BadRequest, name + " was not made for the built-in tasks: its tokenizer does not "
                                           "have their words; give a model of headscope train --tasks.");
}

}  // namespace hs::app
