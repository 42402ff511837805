// Generates code for an input that crashes LLVM 22's own code generator (a
// masked load that keeps lanes). Our pipeline must avoid the crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/ExecutionEngine/CodeGeneration.h"

#include "pool/Target/TargetMachine.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace mlir::pool;

namespace {

/// Generates code for the reproducer `name` in docs/Internals/upstream.
llvm::Expected<llvm::SmallVector<char, 0>> generate(const std::string &name) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIRFile(POOL_UPSTREAM_DIR "/" + name, diagnostic, context);
  if (!module)
    return llvm::createStringError(diagnostic.getMessage());
  TargetNames names;
  names.triple = module->getTargetTriple().str();
  names.cpu = "x86-64-v4";
  auto target = createTargetMachine(names, /*optLevel=*/3);
  if (!target)
    return target.takeError();
  module->setDataLayout((*target)->createDataLayout());
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream os(code);
  if (llvm::Error error = generateCode(*module, **target,
                                       llvm::CodeGenFileType::ObjectFile, os))
    return std::move(error);
  return code;
}

TEST(CodeGenerationTest, MaskedLoadsThatKeepLanes) {
  // Repeated, since a use after free does not fail every time.
  for (int i = 0; i < 20; ++i) {
    auto code = generate("two-address.ll");
    ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
    EXPECT_FALSE(code->empty());
  }
}

} // namespace
