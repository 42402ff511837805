// Adds C functions to a module of LLVM IR: names, parameters, checks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/ExecutionEngine/CInterface.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

constexpr int64_t kUnknown = ShapedType::kDynamic;
constexpr DType kFloat = {DType::Kind::Float, 4};
constexpr DType kHalf = {DType::Kind::Float, 2};
constexpr DType kBool = {DType::Kind::Bool, 1};

ValueSpec getTensor(ArrayRef<int64_t> shape) {
  return {"tensor", /*isTensor=*/true, kFloat, SmallVector<int64_t>(shape)};
}
ValueSpec getScalar(DType dtype) {
  return {"scalar", /*isTensor=*/false, dtype, {}};
}
EntryPoint getEntry(StringRef name, ArrayRef<ValueSpec> arguments,
                    ArrayRef<ValueSpec> results) {
  return {name.str(),
          {SmallVector<ValueSpec>(arguments), SmallVector<ValueSpec>(results)},
          "type"};
}

class CFunctionsTest : public ::testing::Test {
protected:
  /// Parses a module whose first function is the callee.
  void parse(StringRef source) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(source, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
  }

  /// Adds the C function of `entry`, and returns the error.
  std::string add(const EntryPoint &entry, bool runtimeChecks,
                  StringRef prefix = "c_") {
    auto functions = getCFunctions(entry, prefix);
    if (!functions)
      return llvm::toString(functions.takeError());
    std::string error = llvm::toString(
        addCFunctions(*module, *functions, &*module->begin(), runtimeChecks));
    if (error.empty())
      EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
    return error;
  }

  int64_t countCalls(StringRef caller, StringRef callee) {
    int64_t count = 0;
    for (llvm::Instruction &instruction :
         llvm::instructions(module->getFunction(caller)))
      if (auto *call = dyn_cast<llvm::CallInst>(&instruction))
        count += call->getCalledFunction()->getName() == callee;
    return count;
  }

  std::string getType(StringRef name) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->getFunction(name)->getFunctionType()->print(os);
    return text;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

// A memref descriptor of one dimension.
constexpr char kDescriptor[] = R"(
  define { ptr, ptr, i64, [1 x i64], [1 x i64] } @callee(
      ptr %a, ptr %b, i64 %o, i64 %n, i64 %s) {
    ret { ptr, ptr, i64, [1 x i64], [1 x i64] } zeroinitializer
  })";

TEST_F(CFunctionsTest, ListsParametersOnce) {
  EntryPoint entry = getEntry(
      "f", {getTensor({2, kUnknown}), getTensor({3}), getScalar(kFloat)},
      {getTensor({3}), getTensor({kUnknown}), getScalar(kBool)});
  std::string list;
  for (const CParameter &parameter : getCParameters(entry.signature))
    list += parameter.name + " ";
  EXPECT_EQ(list, "arg0 arg0_shape arg1 arg2 result0 result1 result1_shape "
                  "result2 ");
}

TEST_F(CFunctionsTest, NamesAreIdentifiers) {
  std::vector<EntryPoint> entries = {getEntry("a.b", {}, {}),
                                     getEntry("c", {}, {})};
  auto functions = getCFunctions(entries, "pool_");
  ASSERT_TRUE(static_cast<bool>(functions))
      << llvm::toString(functions.takeError());
  EXPECT_EQ((*functions)[0].name, "pool_a_b");
  EXPECT_EQ((*functions)[1].name, "pool_c");
  entries.push_back(getEntry("a_b", {}, {}));
  EXPECT_EQ(llvm::toString(getCFunctions(entries, "pool_").takeError()),
            "'a.b' and 'a_b' would both be called 'pool_a_b' in C");
  for (StringRef prefix : {"", "1_", "a-"})
    EXPECT_EQ(llvm::toString(getCFunctions(entries, prefix).takeError()),
              ("the prefix '" + prefix + "' is no identifier of C").str());
}

TEST_F(CFunctionsTest, ChecksExtentsIfAsked) {
  for (bool runtimeChecks : {false, true}) {
    parse(kDescriptor);
    EntryPoint entry =
        getEntry("f", getTensor({kUnknown}), getTensor({kUnknown}));
    EXPECT_EQ(add(entry, runtimeChecks), "");
    EXPECT_EQ(getType("c_f"), "void (ptr, ptr, ptr, ptr)");
    EXPECT_EQ(countCalls("c_f", "callee"), 1);
    EXPECT_EQ(countCalls("c_f", kCheckFailed), runtimeChecks);
    EXPECT_EQ(module->getFunction(kCheckFailed) != nullptr, runtimeChecks);
  }
}

TEST_F(CFunctionsTest, ChecksKnownExtentsBesideUnknownOnes) {
  parse(R"(define void @callee(ptr %a, ptr %b, i64 %o, i64 %m, i64 %n,
                               i64 %s, i64 %t) { ret void })");
  EXPECT_EQ(add(getEntry("f", getTensor({kUnknown, 3}), {}),
                /*runtimeChecks=*/true),
            "");
  EXPECT_EQ(countCalls("c_f", kCheckFailed), 2);
  std::string messages;
  for (const llvm::GlobalVariable &variable : module->globals())
    if (auto *text =
            dyn_cast<llvm::ConstantDataArray>(variable.getInitializer()))
      messages += text->getAsCString().str() + "\n";
  EXPECT_EQ(messages, "c_f: argument 0: the extent of dimension 0 must not be "
                      "negative\n"
                      "c_f: argument 0: the extent of dimension 1 must be 3\n"
                      "%s\n\n");
}

TEST_F(CFunctionsTest, PassesScalarsAsCompilersOfCHaveThem) {
  parse("define i1 @callee(half %h, i1 %b, float %f) { ret i1 %b }");
  EXPECT_EQ(
      add(getEntry("f", {getScalar(kHalf), getScalar(kBool), getScalar(kFloat)},
                   getScalar(kBool)),
          /*runtimeChecks=*/true),
      "");
  EXPECT_EQ(getType("c_f"), "void (i16, i8, float, ptr)");
}

TEST_F(CFunctionsTest, FailedAllocationsFailAlways) {
  parse(R"(
    define void @callee() {
      %p = call ptr @malloc(i64 8)
      ret void
    }
    declare ptr @malloc(i64))");
  EXPECT_EQ(add(getEntry("f", {}, {}), /*runtimeChecks=*/false), "");
  EXPECT_EQ(countCalls("callee", "malloc"), 0);
  EXPECT_EQ(countCalls("callee", "pool.checked.malloc"), 1);
  EXPECT_EQ(countCalls("pool.checked.malloc", "malloc"), 1);
  EXPECT_EQ(countCalls("pool.checked.malloc", kCheckFailed), 1);
  llvm::Function *failed = module->getFunction(kCheckFailed);
  ASSERT_TRUE(failed && !failed->isDeclaration());
  EXPECT_TRUE(failed->hasWeakLinkage());
  EXPECT_EQ(countCalls(kCheckFailed, "abort"), 1);
}

TEST_F(CFunctionsTest, NamesThatAreTaken) {
  parse("define void @callee() { ret void }\n"
        "define void @c_f() { ret void }");
  EXPECT_EQ(add(getEntry("f", {}, {}), /*runtimeChecks=*/true),
            "'f' would be called 'c_f' in C, but that name is taken");
  // Checks that fail call this one.
  EXPECT_EQ(
      add(getEntry("check_failed", {}, {}), /*runtimeChecks=*/true, "pool_"),
      "'check_failed' would be called 'pool_check_failed' in C, but that "
      "name is taken");
  parse("define void @callee() { ret void }\n"
        "define void @pool_check_failed(ptr %p) { ret void }");
  EXPECT_EQ(add(getEntry("f", {}, {}), /*runtimeChecks=*/true),
            "the module defines 'pool_check_failed', which failed checks call");
}

TEST_F(CFunctionsTest, PackedFunctionsTakeOnePointer) {
  parse(kDescriptor);
  EntryPoint entry =
      getEntry("f", getTensor({kUnknown}), getTensor({kUnknown}));
  EXPECT_EQ(
      llvm::toString(addPackedFunctions(*module, entry, &*module->begin())),
      "");
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  EXPECT_EQ(getType(getPackedName("f")), "void (ptr)");
  EXPECT_EQ(countCalls(getPackedName("f"), "callee"), 1);
  EXPECT_EQ(countCalls(getPackedName("f"), kCheckFailed), 0);
  // The same entry again
  EXPECT_NE(
      llvm::toString(addPackedFunctions(*module, entry, &*module->begin()))
          .find("name is taken"),
      std::string::npos);
}

TEST_F(CFunctionsTest, HeadersDeclareThem) {
  EntryPoint entry = getEntry("f", {getTensor({kUnknown}), getScalar(kHalf)},
                              {getTensor({kUnknown}), getScalar(kBool)});
  auto functions = getCFunctions(entry, "c_");
  ASSERT_TRUE(static_cast<bool>(functions))
      << llvm::toString(functions.takeError());
  std::string header = printCHeader(*functions, "dir/1-pool.h");
  for (const char *part : {"#ifndef POOL_1_POOL_H\n", "const float *arg0",
                           "arg0_shape[1]", "uint16_t arg1", "float **result0",
                           "int64_t result0_shape[1]", "bool *result1"})
    EXPECT_NE(header.find(part), std::string::npos) << part << "\n" << header;
}

} // namespace
