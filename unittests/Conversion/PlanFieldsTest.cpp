// Writes parameters of plans as attributes, and reads them back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConversionTest.h"

#include "Plans/PlanFields.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
enum class Cut { Row, Strips };

/// One parameter of each type.
struct Parameters {
  int64_t rows = 1;
  bool stream = false;
  Cut cut = Cut::Row;
  PlanAttr fallback;

  void declare(PlanFields &fields) {
    fields.integer("rows", rows, 1, 64);
    fields.flag("stream", stream);
    fields.keyword("cut", cut, {"row", "strips"});
    fields.plan("fallback", fallback);
  }
};

class PlanFieldsTest : public ConversionTest {
protected:
  std::string write(Parameters parameters) {
    PlanFields fields(&context);
    parameters.declare(fields);
    std::string text;
    llvm::raw_string_ostream(text) << fields.write("test");
    return text;
  }

  /// Returns why the parameters `text` cannot be read; empty if they can.
  std::string read(StringRef text) {
    PlanAttr attr = parsePlan("\"test\", " + text.str());
    if (!attr)
      return "no attribute";
    std::string reason;
    PlanFields fields(attr, reason);
    parameters = Parameters();
    parameters.declare(fields);
    LogicalResult result = fields.finishReading();
    EXPECT_EQ(failed(result), !reason.empty()) << reason;
    return reason;
  }

  /// What read() read.
  Parameters parameters;
};
} // namespace

TEST_F(PlanFieldsTest, WritesNoFalseFlagsAndNoNullPlans) {
  EXPECT_EQ(write({}), R"(#pool.plan<"test", cut = "row", rows = 1>)");
  EXPECT_EQ(write({3, true, Cut::Strips, parsePlan("\"other\"")}),
            "#pool.plan<\"test\", cut = \"strips\", fallback = "
            "#pool.plan<\"other\">, rows = 3, stream = true>");
}

TEST_F(PlanFieldsTest, ReadsWhatItWrites) {
  EXPECT_EQ(read(R"(cut = "strips", rows = 64, stream = true, fallback = )"
                 R"(#pool.plan<"other">)"),
            "");
  EXPECT_EQ(parameters.rows, 64);
  EXPECT_TRUE(parameters.stream);
  EXPECT_EQ(parameters.cut, Cut::Strips);
  EXPECT_EQ(parameters.fallback, parsePlan("\"other\""));
  // What may be missing has its default.
  EXPECT_EQ(read(R"(rows = 2, cut = "row")"), "");
  EXPECT_FALSE(parameters.stream);
  EXPECT_FALSE(parameters.fallback);
}

TEST_F(PlanFieldsTest, NamesTheFirstThatIsWrong) {
  EXPECT_EQ(read(R"(cut = "row")"), "rows is missing");
  EXPECT_EQ(read("rows = 1"), "cut is missing");
  EXPECT_EQ(read("rows = 0"), "rows is 0, must be 1 to 64");
  EXPECT_EQ(read("rows = 65"), "rows is 65, must be 1 to 64");
  EXPECT_EQ(read("rows = true"), "rows is true, must be an integer");
  EXPECT_EQ(read(R"(rows = 1, cut = "strips", stream = 1)"),
            "stream is 1 : i64, must be true or false");
  EXPECT_EQ(read(R"(rows = 1, cut = "column")"),
            "cut is \"column\", must be one of row, strips");
  EXPECT_EQ(read(R"(rows = 1, cut = "row", fallback = "other")"),
            "fallback is \"other\", must be a plan");
}

TEST_F(PlanFieldsTest, NamesUnknownOnesBeforeMissingOnes) {
  EXPECT_EQ(read("row = 1"), "row is no parameter of it; did you mean 'rows'?");
  EXPECT_EQ(read(R"(rows = 1, cut = "row", lanes = 4)"),
            "lanes is no parameter of it; the parameters are rows, stream, "
            "cut, fallback");
  // A wrong one is told first.
  EXPECT_EQ(read("rows = 65, lanes = 4"), "rows is 65, must be 1 to 64");
}

TEST_F(PlanFieldsTest, NoNameTwice) {
  EXPECT_FALSE(parsePlan("\"test\", rows = 1, rows = 2"));
  EXPECT_GT(numDiagnostics, 0);
}
