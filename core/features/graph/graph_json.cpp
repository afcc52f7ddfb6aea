#include "features/graph/graph_json.h"

#include "features/graph/graph_ids.h"

#include <cstdio>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

/// A token between double quotes, as the viewers look for it.
std::string quoted(const std::string& text)
{
    return "\"" + text + "\"";
}

class GraphWriter {
public:
    GraphWriter(const Graph& graph, const GraphLabels& labels) : m_graph(graph), m_labels(labels) {}

    Json write() const
    {
        Json nodes = Json::array();
        Json links = Json::array();
        Json ownNodes = Json::array();
        Json ownLinks = Json::array();
        Json details = Json::object();
        bool isFirstLogit = true;
        for (std::size_t at = 0; at < m_graph.nodes.size(); ++at) {
            const GraphNode& node = m_graph.nodes[at];
            if (isOwn(node.kind)) {
                ownNodes.push_back({{"node_id", idAt(at)},
                                    {"kind", wordOf(node.kind)},
                                    {"ctx_idx", node.position},
                                    {"influence", node.influence},
                                    {"rank", node.rank}});
                continue;
            }
            nodes.push_back(nodeJson(node, isFirstLogit));
            isFirstLogit = isFirstLogit && node.kind != Kind::Logit;
            details[idAt(at)] = {
                {"influence", node.influence}, {"rank", node.rank}, {"rest", m_graph.rests[at]}};
        }
        for (const GraphEdge& edge : m_graph.edges) {
            const auto source = static_cast<std::size_t>(edge.source);
            (isOwn(m_graph.nodes[source].kind) ? ownLinks : links)
                .push_back({{"source", idAt(source)},
                            {"target", idAt(static_cast<std::size_t>(edge.target))},
                            {"weight", edge.weight}});
        }
        return {{"metadata", metadata()},
                {"qParams", parameters()},
                {"nodes", std::move(nodes)},
                {"links", std::move(links)},
                {"headscope",
                 {{"version", HS_VERSION},
                  {"tokens", m_graph.tokens},
                  {"layers", m_graph.layers},
                  {"place", wordOf(m_graph.place)},
                  {"fvu", listOf(m_graph.fvu)},
                  {"all_nodes", m_graph.allNodes},
                  {"all_edges", m_graph.allEdges},
                  {"replacement", m_graph.replacement},
                  {"completeness", m_graph.completeness},
                  {"constants", m_graph.constants},
                  {"versus", m_graph.versus ? Json(*m_graph.versus) : Json(nullptr)},
                  {"mean_logit", m_graph.meanLogit},
                  {"nodes", std::move(ownNodes)},
                  {"links", std::move(ownLinks)},
                  {"details", std::move(details)}}}};
    }

private:
    static bool isOwn(Kind kind) { return kind == Kind::Position || kind == Kind::Constant; }

    static Json listOf(const std::vector<double>& values)
    {
        Json list = Json::array();
        for (const double value : values)
            list.push_back(numberOrNull(value));
        return list;
    }

    std::string idAt(std::size_t node) const { return fileIdOf(idOf(m_graph.nodes[node]), m_graph.layers); }

    Json metadata() const
    {
        return {{"slug", m_labels.slug},
                {"scan", m_labels.scan},
                {"transcoder_list", Json::array({m_labels.scan})},
                {"prompt_tokens", m_labels.tokens},
                {"prompt", m_labels.prompt},
                {"node_threshold", m_labels.options.nodeShare},
                {"schema_version", 1},
                {"generation_settings",
                 {{"max_n_logits", m_labels.options.logits},
                  {"desired_logit_prob", m_labels.options.logitShare},
                  {"max_feature_nodes", m_labels.options.features}}},
                {"pruning_settings",
                 {{"node_threshold", m_labels.options.nodeShare},
                  {"edge_threshold", m_labels.options.edgeShare}}}};
    }

    Json parameters() const
    {
        Json supernodes = Json::array();
        for (const Supernode& supernode : m_labels.supernodes) {
            Json& row = supernodes.emplace_back(Json::array({supernode.name}));
            for (const NodeId& member : supernode.members)
                row.push_back(fileIdOf(member, m_graph.layers));
        }
        return {{"pinnedIds", Json::array()},
                {"supernodes", std::move(supernodes)},
                {"linkType", "both"},
                {"clickedId", ""},
                {"sg_pos", ""}};
    }

    std::string tokenAt(int position) const
    {
        const auto at = static_cast<std::size_t>(position);
        return at < m_labels.tokens.size() ? m_labels.tokens[at] : std::string();
    }

    std::string textOf(std::int64_t token) const
    {
        return m_labels.tokenText ? m_labels.tokenText(token) : std::to_string(token);
    }

    Json nodeJson(const GraphNode& node, bool isTargetLogit) const
    {
        const NodeId id = idOf(node);
        Json json = {{"node_id", fileIdOf(id, m_graph.layers)},
                     {"ctx_idx", node.position},
                     {"run_idx", 0},
                     {"reverse_ctx_idx", 0},
                     {"is_target_logit", node.kind == Kind::Logit && isTargetLogit},
                     {"token_prob", node.kind == Kind::Logit ? node.probability : 0},
                     {"influence", node.kind == Kind::Logit ? Json(nullptr) : Json(node.rank)},
                     {"activation", nullptr}};
        const std::string layer = std::to_string(node.layer);
        const auto is = [&](Json feature, const std::string& in, const char* type, const std::string& script,
                            const std::string& label) {
            json.update({{"feature", std::move(feature)},
                         {"layer", in},
                         {"feature_type", type},
                         {"jsNodeId", script},
                         {"clerp", label}});
        };
        const std::string position = std::to_string(node.position);
        const std::string index = std::to_string(node.index);
        switch (node.kind) {
        case Kind::Feature:
            is(paired(node.layer, node.index), layer, "cross layer transcoder", layer + "_" + index + "-0",
               m_labels.featureLabel ? m_labels.featureLabel(id) : std::string());
            json["activation"] = node.activation;
            break;
        case Kind::Error:
            is(-1, layer, "mlp reconstruction error", layer + "_" + position + "-0",
               "Err: mlp " + quoted(tokenAt(node.position)));
            break;
        case Kind::Token:
            is(node.position, "E", "embedding", "E_" + index + "-" + position,
               "Emb: " + quoted(tokenAt(node.position)));
            break;
        default: {
            char probability[32];
            std::snprintf(probability, sizeof probability, " (p=%.3f)", node.probability);
            is(node.index, std::to_string(m_graph.layers + 1), "logit", "L_" + index + "-" + position,
               "Output " + quoted(textOf(node.index)) + probability);
            json["activation"] = node.activation;
        }
        }
        return json;
    }

    const Graph& m_graph;
    const GraphLabels& m_labels;
};

}  // namespace

Json toJson(const Graph& graph, const GraphLabels& labels)
{
    return GraphWriter(graph, labels).write();
}

}  // namespace hs::features
