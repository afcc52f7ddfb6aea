#pragma once

#include "lint/source_rules.h"

#include <string>
#include <vector>

namespace hs::lint {

/// A class, struct, union, enum, alias or constant that is defined in a namespace, not inside another type.
struct TypeDefinition {
    std::string space;  // "hs::text"; an unnamed namespace is called "(anonymous)"
    std::string name;
    int line = 0;
    bool isAlias = false;
    bool isConstant = false;
};

/// The types that a C++ text defines. Forward declarations, specialisations and definitions of a nested type
/// outside its class do not count.
std::vector<TypeDefinition> typesOf(const std::string& text);

/// No two files define a type of the same name in the same namespace: the linker would keep only one of two
/// destructors. No header has types in an anonymous namespace, which would differ in each file; and no two of the
/// product's sources have the same name there, which may be compiled as one file.
Findings checkTypeNames(const std::vector<SourceFile>& files);

}  // namespace hs::lint
