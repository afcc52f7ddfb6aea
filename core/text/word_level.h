#pragma once

#include "text/model.h"

#include <string>

namespace hs::text {

/// A piece is a token or it is unknown.
class WordLevel : public Model {
public:
    WordLevel(Vocabulary vocabulary, std::string unknown);

    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::unique_ptr<PieceEncoder> encoder() const override;

private:
    Vocabulary m_vocabulary;
    std::string m_unknown;
};

}  // namespace hs::text
