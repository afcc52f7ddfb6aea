#include "support/catch.h"
#include "support/temp_dir.h"
#include "train/task_tokenizer.h"
#include "train/text_rows.h"

#include <numeric>
#include <set>

using namespace hs;

namespace {

/// Each token is its position in the stream.
train::TextRows::Stream countingStream(std::size_t tokens)
{
    std::vector<std::int32_t> stream(tokens);
    std::iota(stream.begin(), stream.end(), 0);
    return std::make_shared<const std::vector<std::int32_t>>(std::move(stream));
}

train::TextRowOptions ofSixteen(bool hasFirst = false)
{
    train::TextRowOptions options;
    options.length = 16;
    options.vocabulary = 100000;
    if (hasFirst)
        options.firstToken = 99999;
    return options;
}

std::string refusal(std::size_t tokens, const train::TextRowOptions& options)
{
    const auto made =
        guarded([&] { return train::TextRows(countingStream(tokens), options).training(0).size(); });
    return made ? "" : made.error().message;
}

std::shared_ptr<const text::Tokenizer> wordTokenizer()
{
    const test::TempDir folder;
    return orThrow(text::Tokenizer::load(folder.write("tokenizer.json", train::taskTokenizerJson())));
}

std::string readingError(const std::filesystem::path& file)
{
    const auto read = guarded([&] { return train::encodeTextFile(file, *wordTokenizer()); });
    return read ? "" : read.error().message;
}

}  // namespace

TEST_CASE("text rows are pieces of the stream, after the first token if there is one")
{
    for (const bool hasFirst : {false, true}) {
        const train::TextRows rows(countingStream(1000), ofSixteen(hasFirst));
        for (std::int64_t row = 0; row < 20; ++row) {
            const std::vector<std::int64_t> tokens = rows.training(row);
            REQUIRE(tokens.size() == 16);
            CHECK((tokens[0] == 99999) == hasFirst);
            for (std::size_t at = 2; at < 16; ++at)
                CHECK(tokens[at] == tokens[at - 1] + 1);
        }
    }
}

TEST_CASE("training on text never reads a token that is held out from any kind of row, and reads all others")
{
    std::set<std::int64_t> read;
    std::set<std::int64_t> held;
    for (const bool hasFirst : {false, true}) {
        const train::TextRows rows(countingStream(1600), ofSixteen(hasFirst));
        for (std::int64_t row = 0; row < 4000; ++row)
            for (const std::int64_t token : rows.training(row))
                read.insert(token);
        std::set<std::int64_t> heldHere;
        for (std::int64_t row = 0; row < rows.heldOutRows(); ++row)
            for (const std::int64_t token : rows.heldOut(row))
                CHECK((heldHere.insert(token).second || token == 99999));
        CHECK(rows.heldOutRows() == 5);
        CHECK(rows.trainingTokens() == 1520);
        held.merge(heldHere);
    }
    read.erase(99999);
    held.erase(99999);
    CHECK(*read.begin() == 0);
    CHECK(*read.rbegin() == 1519);
    CHECK(read.size() == 1520);
    CHECK(*held.begin() == 1520);
}

TEST_CASE("held-out rows of text are at most as many as asked for")
{
    train::TextRowOptions options = ofSixteen();
    options.heldOutRows = 20;
    CHECK(train::TextRows(countingStream(16000), options).heldOutRows() == 20);
}

TEST_CASE("a row of text follows from seed and number")
{
    train::TextRowOptions options = ofSixteen();
    const train::TextRows rows(countingStream(16000), options);
    CHECK(rows.training(5) == train::TextRows(countingStream(16000), options).training(5));
    CHECK(rows.training(5) != rows.training(6));
    options.seed = 1;
    CHECK(rows.training(5) != train::TextRows(countingStream(16000), options).training(5));
}

TEST_CASE("the shortest text that can be trained on is one row and one held out")
{
    for (const bool hasFirst : {false, true}) {
        train::TextRowOptions options = ofSixteen(hasFirst);
        CHECK(refusal(32, options).empty());
        options.heldOutShare = 0.5;
        CHECK(refusal(32, options).empty());
    }
}

TEST_CASE("text that cannot be trained on is refused with the file's name and the remedy")
{
    train::TextRowOptions options = ofSixteen();
    options.length = 256;
    options.file = "stories.txt";
    CHECK(refusal(310, options) ==
          "stories.txt has 310 tokens; at least 512 are needed for rows of 256 and a "
          "held-out part; give more text or a shorter --length.");
    options.length = 16;
    options.vocabulary = 32000;
    CHECK(refusal(40000, options) ==
          "stories.txt cannot be read by this model: the tokenizer gives id 32000, but the model has 32,000 "
          "tokens; use the tokenizer that belongs to the model.");
    options.firstToken = 50000;
    CHECK(refusal(1000, options).find("gives id 50000") != std::string::npos);
    options = ofSixteen();
    options.length = 1;
    CHECK(refusal(1000, options) == "Rows of 1 tokens have nothing to predict; give a longer --length.");
    options = ofSixteen();
    options.heldOutShare = 0.6;
    CHECK(refusal(1000, options) == "At most half of the text can be held out; give a share from 0 to 0.5.");
}

TEST_CASE("a text file becomes tokens without special ones, in pieces that lose nothing")
{
    const test::TempDir folder;
    const auto tokenizer = wordTokenizer();
    for (const std::string separator : {"\n\n", "\n", " "}) {
        std::string text;
        for (int line = 0; line < 30000; ++line)
            text += "The war lasted from the year 17 32 to the year 17 99 ." + separator;
        int reports = 0;
        Hooks hooks;
        hooks.progress = [&](int done, int total) {
            ++reports;
            CHECK(done <= total);
        };
        const std::vector<std::int32_t> stream =
            train::encodeTextFile(folder.write("text.txt", text), *tokenizer, hooks);
        CHECK(reports > 3);
        const auto whole = tokenizer->encode(text, false);
        REQUIRE(whole.ok());
        CHECK(std::equal(stream.begin(), stream.end(), whole->ids.begin(), whole->ids.end()));
    }
}

TEST_CASE("a text without any space is read whole")
{
    const test::TempDir folder;
    std::string text;
    while (text.size() < 600000)
        text += "\xe6\xb0\xb4";
    CHECK(train::encodeTextFile(folder.write("text.txt", text), *wordTokenizer()).size() == 3);  // pieces
}

TEST_CASE("a text file that cannot be read is refused with the remedy")
{
    const test::TempDir folder;
    const std::string missing = (folder / "missing.txt").string();
    CHECK(readingError(missing).starts_with(missing + " cannot be opened"));
    CHECK(readingError(folder.path()) ==
          folder.path().string() + " is not a plain file; give the path of a file.");
    const std::filesystem::path empty = folder.write("empty.txt", "");
    CHECK(readingError(empty) == empty.string() + " has no text in it; give a file with text.");
    const std::filesystem::path blank = folder.write("blank.txt", " \n\n ");
    CHECK(readingError(blank) == blank.string() + " has no text in it; give a file with text.");
}

TEST_CASE("reading a text can be stopped")
{
    const test::TempDir folder;
    std::stop_source source;
    source.request_stop();
    Hooks hooks;
    hooks.stop = source.get_token();
    const auto read = guarded(
        [&] { return train::encodeTextFile(folder.write("text.txt", "The war"), *wordTokenizer(), hooks); });
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().code == ErrorCode::Cancelled);
}

TEST_CASE("longer held-out rows of text share no token with training")
{
    for (const bool hasFirst : {false, true}) {
        const train::TextRows rows(countingStream(10'000), ofSixteen(hasFirst));
        const std::vector<std::vector<std::int64_t>> longer = rows.longerHeldOut(64);
        REQUIRE_FALSE(longer.empty());
        for (const std::vector<std::int64_t>& row : longer) {
            CHECK(row.size() == 64);
            for (const std::int64_t token : row)
                REQUIRE(token >= rows.trainingTokens());
        }
        CHECK(rows.longerHeldOut(1024).empty());  // 500 tokens are held out
    }
}
