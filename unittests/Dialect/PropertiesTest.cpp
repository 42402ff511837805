// Sets properties from dictionaries of attributes, with and without an error
// handler. Wrong and unknown entries must fail and be named in the error. The
// operations are registered with strict checks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

class PropertiesTest : public ::testing::Test {
protected:
  PropertiesTest() : b(&context) { context.loadDialect<PoolDialect>(); }

  /// Sets `properties` of a max_pool; returns the errors, or the empty string.
  std::string set(ArrayRef<NamedAttribute> entries) {
    std::string errors;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { errors += diagnostic.str(); });
    OperationName name(MaxPoolOp::getOperationName(), &context);
    DictionaryAttr dictionary = b.getDictionaryAttr(entries);
    LogicalResult result =
        name.setOpPropertiesFromAttribute(name, &properties, dictionary, [&] {
          return emitError(b.getUnknownLoc());
        });
    EXPECT_EQ(succeeded(result), errors.empty());
    // The result is the same without an error handler.
    MaxPoolOp::Properties others;
    EXPECT_EQ(succeeded(name.setOpPropertiesFromAttribute(name, &others,
                                                          dictionary, nullptr)),
              succeeded(result));
    return errors;
  }

  MLIRContext context;
  Builder b;
  MaxPoolOp::Properties properties;
};

TEST_F(PropertiesTest, AreSet) {
  EXPECT_EQ(
      set({b.getNamedAttr("kernel", b.getDenseI64ArrayAttr({2, 3})),
           b.getNamedAttr("axis", b.getI64IntegerAttr(-1)),
           b.getNamedAttr("nan_mode",
                          NanModeAttr::get(&context, NanMode::Propagate))}),
      "");
  EXPECT_EQ(ArrayRef<int64_t>(properties.kernel), ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(properties.axis, -1);
  EXPECT_EQ(properties.nan_mode, NanMode::Propagate);
  EXPECT_TRUE(properties.strides.empty());
}

TEST_F(PropertiesTest, OfTheWrongTypeAreNamed) {
  EXPECT_EQ(set({b.getNamedAttr("axis", b.getI64IntegerAttr(1)),
                 b.getNamedAttr("kernel", b.getI64IntegerAttr(2))}),
            "'kernel': expected array<i64: ...>, not 2 : i64");
}

TEST_F(PropertiesTest, ThatAreUnknownAreNamed) {
  EXPECT_EQ(set({b.getNamedAttr("stride", b.getDenseI64ArrayAttr({2}))}),
            "'stride' is not an attribute of this operation; did you mean "
            "'strides'?");
}

TEST_F(PropertiesTest, OperationsKeepTheirTypeIds) {
  std::optional<RegisteredOperationName> byId =
      RegisteredOperationName::lookup(TypeID::get<MaxPoolOp>(), &context);
  std::optional<RegisteredOperationName> byName =
      RegisteredOperationName::lookup(MaxPoolOp::getOperationName(), &context);
  ASSERT_TRUE(byId && byName);
  EXPECT_EQ(*byId, *byName);
  EXPECT_TRUE(byId->hasInterface<WindowOpInterface>());
}

} // namespace
