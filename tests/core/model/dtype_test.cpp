#include "model/dtype.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("every element type is found again by its name")
{
    for (const model::DType dtype :
         {model::DType::F32, model::DType::F16, model::DType::BF16, model::DType::F64, model::DType::I64,
          model::DType::I32, model::DType::I16, model::DType::I8, model::DType::U8, model::DType::Bool})
        CHECK(model::dtypeFromSafetensors(model::name(dtype)) == dtype);
    CHECK(model::byteSize(model::DType::BF16) == 2);
    CHECK(model::byteSize(model::DType::Bool) == 1);
    CHECK(model::byteSize(model::DType::F64) == 8);
}

TEST_CASE("config.json's names of types are understood with and without torch's prefix")
{
    CHECK(model::dtypeFromConfig("float16") == model::DType::F16);
    CHECK(model::dtypeFromConfig("torch.bfloat16") == model::DType::BF16);
    CHECK(model::dtypeFromConfig("float32") == model::DType::F32);
    CHECK_FALSE(model::dtypeFromConfig("F16"));
    CHECK_FALSE(model::dtypeFromConfig("torch."));
    CHECK_FALSE(model::dtypeFromConfig("float8_e4m3fn"));
    CHECK_FALSE(model::dtypeFromSafetensors("float16"));
}
