#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"
#include "engine/request/run_request.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hs::engine {

/// What a path ends in: an input of a head, or the logits.
enum class PathInput { Query, Key, Value, Logits };

constexpr auto enumWords(PathInput)
{
    return std::to_array<EnumWord<PathInput>>({{PathInput::Query, "query"},
                                               {PathInput::Key, "key"},
                                               {PathInput::Value, "value"},
                                               {PathInput::Logits, "logits"}});
}

struct PathEnd {
    HeadId head;  // the receiver; of no meaning for the logits
    PathInput input = PathInput::Logits;

    friend auto operator<=>(const PathEnd&, const PathEnd&) = default;
};

/// From what a head writes straight to an input of a head in a later layer, or to the logits.
struct HeadPath {
    HeadId from;
    PathEnd to;
};

/// Asks what single paths do (path patching): what changes in a run when a sender's output comes from another run, but
/// only along one path.
///
/// Let x_l [query, hidden] be the stream that enters layer l of the run, z_l [query, head, head size] its heads' outputs
/// and A_l(z) [query, hidden] what its attention adds to the stream for outputs z: projection, bias and, where there is
/// one, the norm after it. With the source's output of head i of layer l, the sender, the attention writes
///     d = A_l(z_l with head i of the source) - A_l(z_l)   [query, hidden]
/// more. Along a path to head j of layer r > l only its query (or key, or value) reads x_r + d instead of x_r, with the
/// layer's own norms and rotation. Its other inputs, the other heads, those that share its key and value among them, and
/// all heads and MLPs between sender and receiver stay as they are in the run. The receiver's new output goes on through
/// the model, which is computed anew behind it. Along a path to the logits the last stream is x + d where the run is read.
struct PathRequest {
    RunRequest run;
    std::shared_ptr<const HeadOutputs> source;  // of a run of as many tokens
    std::vector<HeadPath> paths;
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
};

}  // namespace hs::engine
