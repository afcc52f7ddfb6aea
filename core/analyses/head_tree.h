#pragma once

#include "analyses/head_pages.h"
#include "analyses/set_maps.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hs::analyses {

// A folder of pages as HeadVis has it: config.json, scatter_data.json with a row of numbers a head, heads/L0H0.json with
// the head's page. What only HeadScope knows stands beside what HeadVis reads.

/// What a tree is about, besides its numbers.
struct HeadTreeAbout {
    std::string model;
    std::string corpus;
    std::string dtype;
    Json conditions;  // all that another tree must share to be the same
};

Json headTreeConfig(const HeadPages& pages, const HeadTreeAbout& about);
Json headTreeScatter(const HeadPages& pages);
Json headTreePage(const HeadPages& pages, const HeadPage& page, const TokenText& tokenText);

/// One head's row of a tree.
struct HeadTreeRow {
    std::map<std::string, double> numbers;  // those that exist
    std::string kind;                       // empty where the tree does not say it
};

/// What is read of a tree at once; pages are read one by one.
struct HeadTree {
    std::filesystem::path folder;
    std::string model;
    std::string corpus;
    std::vector<std::string> metrics;  // in the tree's order
    std::map<HeadId, HeadTreeRow> heads;
};

/// Opens a tree that HeadScope or HeadVis wrote. Throws Failure.
HeadTree openHeadTree(const std::filesystem::path& folder);
/// A head's page, as it stands in its file. Throws Failure.
Json readHeadPage(const HeadTree& tree, HeadId head);
std::filesystem::path headPageFile(const std::filesystem::path& folder, HeadId head);

/// How far a head's numbers in two trees lie apart.
struct HeadTreeDifference {
    HeadId head;
    double distance = 0;  // root mean square over metrics, each in standard deviations over the heads of both
    std::string metric;   // the one that differs most
    double first = 0;
    double second = 0;
};

/// Of the heads that both have, by the numbers that both have; the largest first. Throws Failure where they share nothing.
std::vector<HeadTreeDifference> compareHeadTrees(const HeadTree& first, const HeadTree& second);

}  // namespace hs::analyses
