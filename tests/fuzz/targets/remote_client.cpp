#include "fuzz/target.h"
#include "fuzz/targets/remote_laws.h"

#include "remote/hello.h"

namespace hs::fuzz {
namespace {

using namespace remote;

/// What a client does with each kind, without the waiting.
void take(const Message& message)
{
    const JsonReader fields = reader(message.tree);
    switch (message.kind) {
    case Kind::Hello: requireSameProtocol(helloFrom(message.tree), "gpu"); break;
    case Kind::Failed: errorFrom(message.tree); break;
    case Kind::Beat: fields.number(); break;
    case Kind::Progress:
        require(fields[0].integer(0, INT32_MAX) >= 0, "progress is counted from 0");
        fields[1].integer(0, INT32_MAX);
        break;
    default:
        if (message.tree.is_object()) {
            require(readArray<float>(fields["f"], 2).size() == 2, "an array has the size that was asked for");
            readArray<double>(fields["d"], 1);
            readArray<std::int64_t>(fields["i"], 3);
            require(readArray<std::uint8_t>(fields["u"], 0).empty(),
                    "an array has the size that was asked for");
        } else {
            readArray<std::uint8_t>(fields, 5);
        }
    }
}

void check(std::string_view input)
{
    checkMessages(End::Client, input, take);
    WordSearch search(16);
    const Result<std::optional<std::string>> rest = guarded([&] { return search.add(input); });
    if (!rest)
        return requireRefusal(rest.error());
    require(!*rest || (*rest)->size() + kFirstWord.size() + search.heard().size() == input.size(),
            "the word lies between what was heard and the rest");
    require(search.heard().size() <= 24, "no more is kept than may come before the word");
}

const Target kTarget("remote_client", check);

}  // namespace
}  // namespace hs::fuzz
