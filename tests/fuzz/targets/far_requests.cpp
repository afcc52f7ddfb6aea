#include "fuzz/target.h"

#include "base/failure.h"
#include "service/request_trees.h"

namespace hs::fuzz {
namespace {

using remote::Tree;

/// Requests of clients, read as a daemon reads them: a side's, an analysis', a map's.
void check(std::string_view input)
{
    const Result<bool> result = guarded([&] {
        const Tree tree = remote::decodeTree(input);
        const JsonReader reader = remote::reader(tree);
        const auto find = [&](const service::OpenRequest& request) {
            auto model = std::make_shared<service::OpenModel>();
            model->request = request;
            model->heads = {2, 3, 3};
            model->fingerprint = "0123";
            return model;
        };
        const HeadShape heads = {2, 3, 3};
        if (reader["query"]) {
            const service::MapQuery query = service::mapQueryFrom(reader["query"], heads);
            require(query.layer >= 0 && query.layer < heads.layers, "a map is of a layer that there is");
        } else if (reader["analysis"]) {
            const auto request = service::analysisRequestFrom(reader["analysis"], find);
            const Tree again = service::toTree(request);
            require(service::toTree(service::analysisRequestFrom(remote::reader(again), find)) == again,
                    "an analysis is read as it was sent");
            for (const HeadId head : request.heads)
                require(heads.contains(head), "a head is one that there is");
        } else {
            const auto request = service::sideRequestFrom(reader["side"], find);
            const Tree again = service::toTree(request);
            require(service::toTree(service::sideRequestFrom(remote::reader(again), find)) == again,
                    "a side is read as it was sent");
            for (const auto& [head, kind] : request.ablations)
                require(heads.contains(head), "an ablated head is one that there is");
        }
        return true;
    });
    if (!result)
        requireRefusal(result.error());
}

const Target kTarget("far_requests", check);

}  // namespace
}  // namespace hs::fuzz
