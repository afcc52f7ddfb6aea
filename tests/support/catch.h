#pragma once

// Either major version of Catch2 under one name.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <map>
#include <set>
#include <utility>
#include <vector>

// libtorch prints these by the operator<< of what they hold, which our own types lack; Catch prints them without.
namespace Catch::Detail {

template <class... Types>
class IsStreamInsertable<std::vector<Types...>> : public std::false_type {};
template <class... Types>
class IsStreamInsertable<std::map<Types...>> : public std::false_type {};
template <class... Types>
class IsStreamInsertable<std::set<Types...>> : public std::false_type {};
template <class... Types>
class IsStreamInsertable<std::pair<Types...>> : public std::false_type {};

}  // namespace Catch::Detail
