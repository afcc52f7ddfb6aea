#include "base/json_reader.h"
#include "features/graph/graph_ids.h"
#include "features/graph/graph_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

// What no graph that anybody could look at goes beyond.
constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kMostLinks = 5'000'000;
constexpr int kMostPositions = 1 << 20;
constexpr int kMostLayers = 10'000;
constexpr double kLargestWhole = 4503599627370496.0;  // 2^52

/// Reads a graph from the files of several programs, whose ids are not to be trusted.
class GraphReader {
public:
    GraphReader(const Json& json, const std::string& source)
        : m_root(json, source, "make it again, with headscope graph or circuit-tracer"),
          m_own(m_root["headscope"])
    {
    }

    GraphFile read()
    {
        readMetadata();
        requireFew(m_root["nodes"], kMostNodes, "nodes");
        requireFew(m_root["links"], kMostLinks, "links");
        for (const JsonReader node : m_root["nodes"].items())
            addNode(node);
        if (m_own)
            readOwn();
        else
            guessRest();
        for (const JsonReader link : m_root["links"].items())
            addLink(link);
        if (m_own)
            for (const JsonReader link : m_own["links"].items())
                addLink(link);
        readSupernodes();
        if (m_unknown > 0)
            note(m_unknown, " nodes of a kind that is not known were left out.");
        if (m_loose > 0)
            note(m_loose, " links to nodes that are not there were left out.");
        if (m_doubtful > 0)
            note(m_doubtful, " links come from an id that two nodes share, and are shown from both.");
        return std::move(m_file);
    }

private:
    static void requireFew(const JsonReader& list, std::size_t most, const char* what)
    {
        if (list.list().size() > most)
            list.bad("has more than " + std::to_string(most) + " " + what);
    }

    void note(int count, const char* what) { m_file.notes.push_back(std::to_string(count) + what); }

    void readMetadata()
    {
        const JsonReader metadata = m_root["metadata"];
        m_file.prompt = metadata["prompt"].text("");
        if (const JsonReader tokens = metadata["prompt_tokens"]) {
            requireFew(tokens, kMostPositions, "tokens");
            for (const JsonReader token : tokens.items())
                m_file.tokens.push_back(token.text());
        }
    }

    static std::int64_t whole(const JsonReader& at, double least)
    {
        const double value = at.number(least, kLargestWhole);
        if (value != std::floor(value))
            at.refuse("a whole number");
        return static_cast<std::int64_t>(value);
    }

    /// The number between the first two underscores: the vocabulary id of a token, which is nowhere else.
    static std::int64_t secondPart(const std::string& id)
    {
        const std::size_t first = id.find('_');
        std::int64_t number = 0;
        if (first != std::string::npos)
            std::from_chars(id.data() + first + 1, id.data() + id.size(), number);
        return std::clamp<std::int64_t>(number, 0, std::int64_t{1} << 52);
    }

    static int layerOf(const JsonReader& at)
    {
        const std::string text = at.text();
        int layer = -1;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), layer);
        if (code != std::errc() || end != text.data() + text.size() || layer < 0 || layer >= kMostLayers)
            at.refuse("a layer's number");
        return layer;
    }

    void addNode(const JsonReader& at)
    {
        const std::string id = at["node_id"].text();
        const std::string type = at["feature_type"].text();
        GraphNode node;
        node.position = at["ctx_idx"].integer(0, kMostPositions);
        node.rank = at["influence"].number(0, JsonReader::kLargest, 0);
        node.activation = at["activation"].number(-JsonReader::kLargest, JsonReader::kLargest, 0);
        if (type == "cross layer transcoder") {
            node.kind = Kind::Feature;
            const auto pair = unpaired(whole(at["feature"], 0));
            node.layer = layerOf(at["layer"]);
            if (!pair || pair->first != node.layer)
                at["feature"].refuse("the pair of layer and feature");
            node.index = pair->second;
            if (const std::string label = at["clerp"].text(""); !label.empty())
                m_file.labels[idOf(node)] = label;
        } else if (type == "mlp reconstruction error") {
            node.kind = Kind::Error;
            node.layer = layerOf(at["layer"]);
        } else if (type == "embedding") {
            node.kind = Kind::Token;
            node.index = secondPart(id);
        } else if (type == "logit") {
            node.kind = Kind::Logit;
            node.rank = 0;
            node.index = whole(at["feature"], 0);
            node.probability = at["token_prob"].number(0, 1, 0);
        } else {
            ++m_unknown;
            return;
        }
        put(id, node, at);
    }

    void put(const std::string& id, const GraphNode& node, const JsonReader& at)
    {
        if (!m_known.insert(idOf(node)).second)
            at.bad("is a node that was listed before");
        m_byId.emplace(id, static_cast<int>(m_file.graph.nodes.size()));
        m_file.graph.nodes.push_back(node);
        m_file.graph.rests.push_back(0);
    }

    /// What headscope itself wrote.
    void readOwn()
    {
        Graph& graph = m_file.graph;
        requireFew(m_own["nodes"], kMostNodes, "nodes");
        requireFew(m_own["links"], kMostLinks, "links");
        requireFew(m_own["tokens"], kMostPositions, "tokens");
        for (const JsonReader token : m_own["tokens"].items())
            graph.tokens.push_back(whole(token, 0));
        graph.layers = m_own["layers"].integer(1, kMostLayers);
        graph.place = m_own["place"].word<Place>();
        for (const JsonReader share : m_own["fvu"].items(static_cast<std::size_t>(graph.layers)))
            graph.fvu.push_back(share.numberOrNaN());
        graph.allNodes = m_own["all_nodes"].integer(0, std::numeric_limits<int>::max());
        graph.allEdges = whole(m_own["all_edges"], 0);
        graph.replacement = m_own["replacement"].number(0, 1);
        graph.completeness = m_own["completeness"].number(-1, 2);
        graph.constants = m_own["constants"].number(-1, 2);
        if (const JsonReader versus = m_own["versus"])
            graph.versus = whole(versus, 0);
        graph.meanLogit = m_own["mean_logit"].number();
        const JsonReader details = m_own["details"];
        for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
            GraphNode& node = graph.nodes[at];
            if (node.layer >= graph.layers)
                m_own["layers"].bad("is less than a node's layer");
            if (const JsonReader detail = details[fileIdOf(idOf(node), graph.layers).c_str()]) {
                node.influence = detail["influence"].number(0);
                node.rank = detail["rank"].number(0);
                graph.rests[at] = detail["rest"].number();
            }
        }
        for (const JsonReader own : m_own["nodes"].items()) {
            GraphNode node;
            node.kind = own["kind"].word<Kind>();
            if (node.kind != Kind::Position && node.kind != Kind::Constant)
                own["kind"].refuse("\"position\" or \"constant\"");
            node.position = own["ctx_idx"].integer(0, kMostPositions);
            node.influence = own["influence"].number(0);
            node.rank = own["rank"].number(0);
            put(own["node_id"].text(), node, own);
        }
    }

    /// What other programs do not say: the tokens' ids are in those of their nodes.
    void guessRest()
    {
        Graph& graph = m_file.graph;
        graph.tokens.assign(m_file.tokens.size(), 0);
        for (const GraphNode& node : graph.nodes) {
            graph.layers = std::max(graph.layers, node.layer + 1);
            if (const auto at = static_cast<std::size_t>(node.position);
                node.kind == Kind::Token && at < graph.tokens.size())
                graph.tokens[at] = node.index;
        }
        graph.allNodes = static_cast<int>(graph.nodes.size());
        graph.allEdges = static_cast<std::int64_t>(m_root["links"].list().size());
    }

    void addLink(const JsonReader& at)
    {
        const auto [sources, sourcesEnd] = m_byId.equal_range(at["source"].text());
        const auto [targets, targetsEnd] = m_byId.equal_range(at["target"].text());
        const double weight = at["weight"].number();
        const auto isTarget = [&](const auto& entry) {
            const Kind kind = m_file.graph.nodes[static_cast<std::size_t>(entry.second)].kind;
            return kind == Kind::Feature || kind == Kind::Logit;
        };
        // Only features and logits are led to: of two nodes with one id, the link is to the one that can be.
        const auto target = std::find_if(targets, targetsEnd, isTarget);
        if (sources == sourcesEnd || target == targetsEnd) {
            ++m_loose;
            return;
        }
        m_doubtful += std::next(sources) != sourcesEnd ? 1 : 0;
        for (auto source = sources; source != sourcesEnd; ++source)
            m_file.graph.edges.push_back({target->second, source->second, weight});
    }

    void readSupernodes()
    {
        const JsonReader list = m_root["qParams"]["supernodes"];
        if (!list)
            return;
        requireFew(list, kMostNodes, "supernodes");
        for (const JsonReader row : list.items()) {
            requireFew(row, kMostNodes, "members");
            Supernode supernode;
            bool isName = true;
            for (const JsonReader part : row.items()) {
                const std::string text = part.text();
                if (isName)
                    supernode.name = text;
                else if (const auto node = m_byId.find(text); node != m_byId.end())
                    supernode.members.push_back(
                        idOf(m_file.graph.nodes[static_cast<std::size_t>(node->second)]));
                isName = false;
            }
            if (!supernode.members.empty())
                m_file.supernodes.push_back(std::move(supernode));
        }
    }

    JsonReader m_root;
    JsonReader m_own;
    GraphFile m_file;
    std::multimap<std::string, int> m_byId;
    std::set<NodeId> m_known;
    int m_unknown = 0;
    int m_loose = 0;
    int m_doubtful = 0;
};

}  // namespace

Result<GraphFile> readGraph(const Json& json, const std::string& source)
{
    return guarded([&] { return GraphReader(json, source).read(); });
}

}  // namespace hs::features
