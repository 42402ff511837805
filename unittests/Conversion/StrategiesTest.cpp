// Each strategy by itself: a problem that it supports, with the parameters that
// it chooses, and one that it does not. What it writes can be read and pinned,
// and dearer machines make no plan cheaper.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConversionTest.h"

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
constexpr char kPlanes[] =
    "max_pool kernel [3, 3] : 1x4x32x32xf32 -> 1x4x30x30xf32";
constexpr char kLargeWindows[] =
    "max_pool kernel [25, 25] : 1x4x64x64xf32 -> 1x4x40x40xf32";
constexpr char kLargeChannels[] =
    "max_pool kernel [25, 25] layout channels_last : 1x64x64x64xf32 -> "
    "1x40x40x64xf32";
constexpr char kGlobal[] = "avg_pool kernel [7, 7] : 1x64x7x7xf32 -> "
                           "1x64x1x1xf32";
constexpr char kDisjoint[] =
    "max_pool kernel [8] strides [8] : 1x4x64xf32 -> 1x4x8xf32";
constexpr char kChannels[] = "max_pool kernel [3, 3] layout channels_last : "
                             "1x32x32x64xf32 -> 1x30x30x64xf32";
constexpr char kThreeChannels[] =
    "max_pool kernel [3, 3] layout channels_last : 1x32x32x3xf32 -> "
    "1x30x30x3xf32";
constexpr char kUnknown[] =
    "max_pool kernel [3, 3] : ?x?x?x?xf32 -> ?x?x?x?xf32";
constexpr char kAdaptive[] =
    "adaptive_avg_pool output_size [5, 5] : 1x8x14x14xf32 -> 1x8x5x5xf32";
constexpr char kAdaptiveChannels[] =
    "adaptive_avg_pool output_size [5, 5] layout channels_last : "
    "1x14x14x64xf32 -> 1x5x5x64xf32";
constexpr char kUnpool[] =
    "max_unpool axis 2 : 1x2x4x4xf32, 1x2x4x4xi64 -> 1x2x8x8xf32";
constexpr char kGradient[] =
    "max_pool_grad kernel [3, 3] strides [2, 2] : 1x8x33x33xf32, "
    "1x8x16x16xf32 -> 1x8x33x33xf32";
constexpr char kSums[] =
    "avg_pool_grad kernel [3, 3] : 1x2x30x30xf32 -> 1x2x32x32xf32";
constexpr char kStridedSums[] = "avg_pool_grad kernel [3, 3] strides [2, 2] : "
                                "1x2x16x16xf32 -> 1x2x33x33xf32";

constexpr const char *kAll[] = {
    kPlanes,   kLargeWindows,  kLargeChannels, kGlobal,     kDisjoint,
    kChannels, kThreeChannels, kUnknown,       kAdaptive,   kAdaptiveChannels,
    kUnpool,   kGradient,      kSums,          kStridedSums};

constexpr WindowStrategy kWindowStrategies[] = {
    createGlobalPlan,         createPlanesPlan, createVanHerkPlan,
    createBufferedPlanesPlan, createMergedPlan, createFewChannelsPlan,
    createChannelsPlan,       createStagedPlan, createDirectPlan};

class StrategiesTest : public ConversionTest {
protected:
  /// Sets weights that refitting does not change.
  StrategiesTest() {
#define POOL_COST(field, option, value) target.costs.field = 10;
#include "pool/Target/Costs.def"
  }

  /// Calls `use(problem, strategies)` with the problem of the operation
  /// `text`, and the strategies for such operations.
  template <typename UseFn>
  void visit(StringRef text, UseFn use) {
    SCOPED_TRACE(text.str());
    Operation *op = parseOp(text);
    ASSERT_TRUE(op);
    std::string reason;
    auto check = [&](auto problem, auto strategies) {
      ASSERT_TRUE(succeeded(problem)) << reason;
      use(*problem, strategies);
    };
    if (auto window = dyn_cast<WindowOpInterface>(op))
      check(Problem::get(window, target, reason), ArrayRef(kWindowStrategies));
    else if (auto adaptive = dyn_cast<AdaptiveOpInterface>(op))
      check(getAdaptiveProblem(adaptive, target, reason),
            getAdaptiveStrategies());
    else if (auto grad = dyn_cast<AvgPoolGradOp>(op))
      check(GatherProblem::get(grad, target, reason), getGatherStrategies());
    else
      check(ScatterProblem::get(op, target, reason), getScatterStrategies());
  }

  /// Returns the plan that `strategy` chooses for the operation `text`, or why
  /// it chooses none.
  std::string choose(StringRef name, StringRef text) {
    std::string result = "no such strategy";
    visit(text, [&](const auto &problem, auto strategies) {
      for (auto strategy : strategies) {
        auto candidate = createCandidate(strategy, problem);
        if (candidate.strategy != name)
          continue;
        result = candidate.reason;
        if (!candidate.plan)
          continue;
        EXPECT_GT(candidate.cost, 0);
        result = "";
        llvm::raw_string_ostream(result)
            << writePlan(&context, *candidate.plan);
      }
    });
    return result;
  }

  Target target = Target::getGeneric(256);
};
} // namespace

TEST_F(StrategiesTest, ChooseParameters) {
  EXPECT_EQ(choose("global", kGlobal),
            R"(#pool.plan<"global", code = "straight">)");
  EXPECT_EQ(
      choose("planes", kPlanes),
      R"(#pool.plan<"planes", carry = true, columns = 30, cut = "row", first_column = 0, part_rows = 30, rows = 1>)");
  EXPECT_EQ(choose("van-herk", kLargeWindows),
            R"(#pool.plan<"van-herk", vectors = 5>)");
  EXPECT_EQ(choose("buffered-planes", kLargeWindows),
            R"(#pool.plan<"buffered-planes", block = 20, vectors = 8>)");
  EXPECT_EQ(choose("merged", kDisjoint), R"(#pool.plan<"merged">)");
  EXPECT_EQ(choose("few-channels", kThreeChannels),
            R"(#pool.plan<"few-channels", columns = 2>)");
  EXPECT_EQ(
      choose("channels", kChannels),
      R"(#pool.plan<"channels", columns = 2, loops = "none", rows = 3, vectors = 1>)");
  EXPECT_EQ(choose("staged", kLargeChannels),
            R"(#pool.plan<"staged", block = 20, vectors = 8>)");
  EXPECT_EQ(choose("direct", kUnknown), R"(#pool.plan<"direct", lanes = 8>)");
  EXPECT_EQ(choose("adaptive-planes", kAdaptive),
            R"(#pool.plan<"adaptive-planes", row = "plane">)");
  EXPECT_EQ(choose("adaptive-channels", kAdaptiveChannels),
            R"(#pool.plan<"adaptive-channels", vectors = 4>)");
  EXPECT_EQ(choose("blocks", kUnpool), R"(#pool.plan<"blocks">)");
  EXPECT_EQ(choose("gather", kGradient), R"(#pool.plan<"gather">)");
  EXPECT_EQ(choose("separable", kGradient), R"(#pool.plan<"separable">)");
  EXPECT_EQ(choose("slices", kUnpool), R"(#pool.plan<"slices">)");
  EXPECT_EQ(choose("window-sums", kSums), R"(#pool.plan<"window-sums">)");
  EXPECT_EQ(choose("strided-gather", kStridedSums),
            R"(#pool.plan<"strided-gather">)");
}

TEST_F(StrategiesTest, RefuseWhatTheyDoNotSupport) {
  EXPECT_EQ(choose("global", kPlanes), "windows are no whole planes");
  EXPECT_EQ(choose("planes", kChannels),
            "it is for buffers with the channels first");
  EXPECT_EQ(choose("van-herk", kThreeChannels),
            "it is for buffers with the channels first");
  EXPECT_EQ(choose("buffered-planes", kDisjoint), "a row alone is no plane");
  EXPECT_EQ(choose("merged", kPlanes),
            "windows of 3 columns are not worth merging lanes");
  EXPECT_EQ(choose("few-channels", kChannels),
            "64 channels are more than half a vector of 8");
  EXPECT_EQ(choose("channels", kPlanes),
            "it is for buffers with the channels last");
  EXPECT_EQ(choose("staged", kUnknown),
            "buffered-planes is the same for planes");
  EXPECT_EQ(choose("adaptive-planes", kAdaptiveChannels),
            "it is for buffers with the channels first");
  EXPECT_EQ(choose("adaptive-channels", kAdaptive),
            "it is for buffers with the channels last");
  EXPECT_EQ(choose("blocks", kGradient),
            "windows are not known to lie in blocks of their own");
  EXPECT_EQ(choose("gather", kUnpool),
            "indices are not known to be those of windows");
  EXPECT_EQ(choose("separable", kUnpool), "it is given indices");
  EXPECT_EQ(choose("window-sums", kStridedSums),
            "windows move by more than one element in spatial dimension 0");
}

// A plan that a strategy chooses is read as it was written, and fits.
TEST_F(StrategiesTest, ChosenPlansCanBePinned) {
  int numPlans = 0;
  for (int64_t bits : {64, 128, 256, 512}) {
    target = Target::getGeneric(bits);
    for (const char *text : kAll)
      visit(text, [&](const auto &problem, auto strategies) {
        for (auto strategy : strategies) {
          auto candidate = createCandidate(strategy, problem);
          if (!candidate.plan)
            continue;
          ++numPlans;
          PlanAttr attr = writePlan(&context, *candidate.plan);
          std::string reason;
          auto read = readPlan(attr, strategies, reason);
          ASSERT_TRUE(succeeded(read)) << reason;
          EXPECT_EQ(writePlan(&context, **read), attr);
          // A partial plan has no fallback yet.
          if (!(*read)->isPartial(problem))
            EXPECT_TRUE(succeeded(checkPlan(**read, problem, reason)))
                << reason;
        }
      });
  }
  EXPECT_GT(numPlans, 100);
}

// The weights of the cost model are costs: with a larger one, no plan is
// cheaper.
TEST_F(StrategiesTest, CostsGrowWithTheirWeights) {
  constexpr std::pair<const char *, double Costs::*> weights[] = {
#define POOL_COST(field, option, value) {option, &Costs::field},
#include "pool/Target/Costs.def"
  };
  for (const char *text : kAll) {
    auto getCosts = [&] {
      SmallVector<double> costs;
      visit(text, [&](const auto &problem, auto strategies) {
        for (auto strategy : strategies)
          costs.push_back(createCandidate(strategy, problem).cost);
      });
      return costs;
    };
    target.costs = Costs();
    SmallVector<double> before = getCosts();
    for (auto [option, weight] : weights) {
      SCOPED_TRACE(std::string(text) + " " + option);
      target.costs = Costs();
      target.costs.*weight *= 2;
      for (auto [i, costs] :
           llvm::enumerate(llvm::zip_equal(before, getCosts())))
        EXPECT_GE(std::get<1>(costs), std::get<0>(costs)) << i;
    }
  }
}
