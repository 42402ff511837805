// lp_pool in the reference interpreter, which other tests trust. Expected
// values are written by hand: norms, overhang, padding and special values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pool;

namespace {

using Floats = std::vector<float>;

class LpPoolTest : public ReferenceTest {
protected:
  Floats pool(StringRef attributes, const Floats &row) {
    int64_t size = row.size();
    SmallVector<Tensor> results =
        apply("pool.lp_pool", attributes, makeTensor("f32", {1, 1, size}, row));
    if (results.size() != 1)
      return {};
    return getElements<float>(results[0]);
  }
};

TEST_F(LpPoolTest, Norms) {
  EXPECT_EQ(pool("kernel [2]", {3, -4, 3}), Floats({5, 5}));
  EXPECT_EQ(pool("kernel [2] p 1", {3, -4, 3}), Floats({7, 7}));
  EXPECT_EQ(pool("kernel [3] p 3", {3, -4, 5}), Floats({6}));
}

/// The overhang adds nothing, so the last norm is |5|: its window has no other
/// element.
TEST_F(LpPoolTest, Overhang) {
  EXPECT_EQ(pool("kernel [2] strides [2] rounding_type ceil", {3, 4, 5}),
            Floats({5, 5}));
}

TEST_F(LpPoolTest, PaddingAloneAndSpecialValues) {
  Floats norms = pool("kernel [1] pads_begin [1]",
                      {-std::numeric_limits<float>::infinity(), NAN});
  ASSERT_EQ(norms.size(), 3u);
  EXPECT_EQ(norms[0], 0);
  EXPECT_EQ(norms[1], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(norms[2]));
}

} // namespace
