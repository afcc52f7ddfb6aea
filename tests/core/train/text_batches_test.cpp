#include "support/catch.h"
#include "support/temp_dir.h"
#include "train/task_tokenizer.h"
#include "train/text_batches.h"

#include <numeric>
#include <set>

using namespace hs;

namespace {

/// Each token is its position in the stream.
train::TextBatches::Stream countingStream(std::size_t tokens)
{
    std::vector<std::int32_t> stream(tokens);
    std::iota(stream.begin(), stream.end(), 0);
    return std::make_shared<const std::vector<std::int32_t>>(std::move(stream));
}

train::TextBatchOptions runningText()
{
    train::TextBatchOptions options;
    options.rows = 8;
    options.length = 16;
    options.vocabulary = 100000;
    return options;
}

train::TextBatchOptions documents()
{
    train::TextBatchOptions options = runningText();
    options.form = train::TextForm::Documents;
    return options;
}

std::string refusal(std::size_t tokens, const train::TextBatchOptions& options)
{
    const auto made =
        guarded([&] { return train::TextBatches(countingStream(tokens), options).training(0).rows; });
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

TEST_CASE("text rows are pieces of the stream with every token but the first to predict")
{
    for (const bool hasBos : {false, true}) {
        train::TextBatchOptions options = runningText();
        if (hasBos)
            options.bos = 99999;
        const train::Batch batch = train::TextBatches(countingStream(1000), options).training(3);
        REQUIRE(batch.rows == 8);
        REQUIRE(batch.tokens.size() == 8u * 16u);
        REQUIRE(batch.weights.size() == batch.tokens.size());
        CHECK(batch.lengths == std::vector<std::int32_t>(8, 16));
        CHECK(batch.groups == std::vector<std::int32_t>(8, 0));
        for (std::size_t row = 0; row < 8; ++row) {
            CHECK((batch.tokens[row * 16] == 99999) == hasBos);
            for (std::size_t at = 0; at < 16; ++at)
                CHECK(batch.weights[row * 16 + at] == (at < 15 ? 1.0f : 0.0f));
            for (std::size_t at = 2; at < 16; ++at)
                CHECK(batch.tokens[row * 16 + at] == batch.tokens[row * 16 + at - 1] + 1);
        }
    }
}

TEST_CASE("training on text never reads a held-out token, and reads all others")
{
    for (const train::TextBatchOptions& options : {runningText(), documents()}) {
        const train::TextBatches batches(countingStream(1600), options);
        std::set<std::int64_t> read;
        for (std::int64_t step = 0; step < 500; ++step)
            for (const std::int64_t token : batches.training(step).tokens)
                read.insert(token);
        std::set<std::int64_t> held;
        std::size_t heldTokens = 0;
        for (const train::HeldOutBatch& batch : batches.heldOut()) {
            held.insert(batch.batch.tokens.begin(), batch.batch.tokens.end());
            heldTokens += batch.batch.tokens.size();
            CHECK(batch.answers.empty());
        }
        CHECK(*read.begin() == 0);
        CHECK(*read.rbegin() == batches.trainingTokens() - 1);
        CHECK(static_cast<std::int64_t>(read.size()) == batches.trainingTokens());
        CHECK(*held.begin() == batches.trainingTokens());
        CHECK(held.size() == heldTokens);
        CHECK(batches.trainingTokens() == 1520);
    }
}

TEST_CASE("held-out rows of text are at most as many as asked for, in batches of the usual size")
{
    for (train::TextBatchOptions options : {runningText(), documents()}) {
        options.heldOutRows = 20;
        const auto held = train::TextBatches(countingStream(16000), options).heldOut();
        REQUIRE(held.size() == 3);
        CHECK(held[0].batch.rows == 8);
        CHECK(held[2].batch.rows == 4);
    }
}

TEST_CASE("a batch of text follows from seed and step")
{
    for (train::TextBatchOptions options : {runningText(), documents()}) {
        const train::TextBatches batches(countingStream(16000), options);
        CHECK(batches.training(5).tokens ==
              train::TextBatches(countingStream(16000), options).training(5).tokens);
        CHECK(batches.training(5).tokens != batches.training(6).tokens);
        options.seed = 1;
        CHECK(batches.training(5).tokens !=
              train::TextBatches(countingStream(16000), options).training(5).tokens);
    }
}

TEST_CASE("each document comes once before any comes again")
{
    train::TextBatchOptions options = documents();
    options.rows = 5;
    const train::TextBatches batches(countingStream(16 * 53), options);
    std::vector<std::int64_t> starts;
    for (std::int64_t step = 0; step < 51 * 2 / 5 + 1; ++step) {
        const train::Batch batch = batches.training(step);
        for (std::size_t row = 0; row < 5; ++row)
            starts.push_back(batch.tokens[row * 16]);
    }
    const auto training = batches.trainingTokens() / 16;
    REQUIRE(training == 51);
    const std::set<std::int64_t> first(starts.begin(), starts.begin() + training);
    const std::set<std::int64_t> second(starts.begin() + training, starts.begin() + 2 * training);
    CHECK(first.size() == 51);
    CHECK(second == first);
    CHECK(*first.rbegin() == 50 * 16);
    CHECK_FALSE(std::equal(starts.begin(), starts.begin() + training, starts.begin() + training));
}

TEST_CASE("the shortest text that can be trained on is one row and one held out")
{
    for (train::TextBatchOptions options : {runningText(), documents()}) {
        CHECK(refusal(32, options).empty());
        options.heldOutShare = 0.5;
        CHECK(refusal(32, options).empty());
    }
}

TEST_CASE("text that cannot be trained on is refused with the remedy")
{
    train::TextBatchOptions options = runningText();
    options.length = 256;
    options.name = "stories.txt";
    CHECK(refusal(310, options) ==
          "stories.txt has 310 tokens; at least 512 are needed for rows of 256 and a "
          "held-out part; give more text or a shorter --length.");
    options.bos = 1;
    CHECK(refusal(510, options).empty());
    options = runningText();
    options.vocabulary = 32000;
    CHECK(refusal(40000, options) == "The tokenizer gives id 32000, but the model has 32,000 tokens; use the "
                                     "tokenizer that belongs to the model.");
    options.bos = 50000;
    CHECK(refusal(1000, options) == "The tokenizer gives id 50000, but the model has 32,000 tokens; use the "
                                    "tokenizer that belongs to the model.");
    CHECK(refusal(1000, documents()) == "The text has 1,000 tokens, which are no whole documents of 16; give "
                                        "the length that it was made with.");
    options = runningText();
    options.length = 1;
    CHECK(refusal(1000, options) == "Rows of 1 tokens have nothing to predict; give a longer --length.");
    options = runningText();
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

TEST_CASE("longer held-out rows of a running text share no token with training")
{
    const train::TextBatches batches(countingStream(10'000), runningText());
    const std::vector<train::HeldOutBatch> longer = batches.longerHeldOut(64);
    REQUIRE_FALSE(longer.empty());
    for (const train::HeldOutBatch& held : longer) {
        CHECK(held.batch.length == 64);
        for (const std::int64_t token : held.batch.tokens)
            REQUIRE(token >= batches.trainingTokens());
    }
    CHECK(batches.longerHeldOut(1024).empty());  // 500 tokens are held out
    CHECK(train::TextBatches(countingStream(16'000), documents()).longerHeldOut(64).empty());
}
