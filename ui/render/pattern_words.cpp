#include "render/pattern_words.h"

#include "render/translate.h"

namespace hs::render {

QString patternWords(const stats::PatternShape& pattern)
{
    if (!pattern.isSquare())
        return tr("%1 queries × %2 keys").arg(pattern.queries).arg(pattern.keys);
    return (pattern.isCausal ? tr("%1 tokens, causal") : tr("%1 tokens, bidirectional")).arg(pattern.queries);
}

}  // namespace hs::render
