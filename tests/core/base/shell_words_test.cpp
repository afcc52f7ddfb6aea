#include "base/shell_words.h"

#include "support/catch.h"
#include "support/refusals.h"

using namespace hs;

TEST_CASE("a text between single quotes is one word, whatever is in it")
{
    CHECK(shellQuoted("") == "''");
    CHECK(shellQuoted("a $b \"c\"") == "'a $b \"c\"'");
    CHECK(shellQuoted("it's") == "'it'\\''s'");
}

TEST_CASE("a command line quotes the words that a shell would take for more")
{
    CHECK(shellLine({"sbatch", "--array=1-64%8", "/a b/job.sh", "", "$x"}) ==
          "sbatch --array=1-64%8 '/a b/job.sh' '' '$x'");
}

TEST_CASE("a command line is read into the words it was written from")
{
    const std::vector<std::string> words = {"ssh", "-F", "/a b/config", "", "it's", "\"", "\\", "$x"};
    CHECK(shellWords(shellLine(words)) == words);
    CHECK(shellWords(" ssh\t-F  \"a \\\"b\\\" \\c\" d\\ e'f'\n") ==
          std::vector<std::string>{"ssh", "-F", "a \"b\" \\c", "d ef"});
    CHECK(shellWords("  ").empty());
    CHECK(test::isRefused([] { shellWords("ssh 'a"); }, "A quote is left open"));
}
