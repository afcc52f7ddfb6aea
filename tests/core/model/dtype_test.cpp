#include "model/dtype.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("every element type is found again by its name")
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16, DType::F64, DType::I64, DType::I32,
                              DType::I16, DType::I8, DType::U8, DType::Bool})
        CHECK(dtypeFromSafetensors(name(dtype)) == dtype);
    CHECK(byteSize(DType::BF16) == 2);
    CHECK(byteSize(DType::Bool) == 1);
    CHECK(byteSize(DType::F64) == 8);
}

TEST_CASE("config.json's names of types are understood with and without torch's prefix")
{
    CHECK(dtypeFromConfig("float16") == DType::F16);
    CHECK(dtypeFromConfig("torch.bfloat16") == DType::BF16);
    CHECK(dtypeFromConfig("float32") == DType::F32);
    CHECK_FALSE(dtypeFromConfig("F16"));
    CHECK_FALSE(dtypeFromConfig("torch."));
    CHECK_FALSE(dtypeFromConfig("float8_e4m3fn"));
    CHECK_FALSE(dtypeFromSafetensors("float16"));
}
