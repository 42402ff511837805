// Emits the remarks of the conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::pool;

/// Emits `<op> <became> <into>`, with a reason unless it is empty.
static void remarkPassed(StringRef name, StringRef pass, Operation *op,
                         StringRef became, StringRef into,
                         const Twine &reason) {
  remark::detail::InFlightRemark remark = remark::passed(
      op->getLoc(), remark::RemarkOpts::name(name).category(pass));
  if (!remark)
    return;
  remark << remark::add("{0} {1} {2}", op->getName().getStringRef().str(),
                        became.str(), into.str());
  if (std::string text = reason.str(); !text.empty())
    remark << remark::reason("{0}", text);
}

void pool::remarkRaised(StringRef pass, Operation *op, StringRef into,
                        const Twine &reason) {
  remarkPassed("Raised", pass, op, "raised to", into, reason);
}

void pool::remarkLowered(StringRef pass, Operation *op, StringRef into,
                         const Twine &reason) {
  remarkPassed("Lowered", pass, op, "lowered to", into, reason);
}

void pool::remarkLeftAlone(StringRef pass, Operation *op, const Twine &reason) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("LeftAlone").category(pass))
      << remark::add("{0} left alone", op->getName().getStringRef().str())
      << remark::reason("{0}", reason.str());
}

void pool::remarkPlanned(StringRef pass, Operation *op,
                         function_ref<Attribute()> getPlan,
                         const Twine &reason) {
  remark::detail::InFlightRemark remark = remark::passed(
      op->getLoc(), remark::RemarkOpts::name("Planned").category(pass));
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << getPlan();
  remark << remark::add("{0} lowered by {1}",
                        op->getName().getStringRef().str(), text)
         << remark::reason("{0}", reason.str());
}

void pool::remarkRejected(StringRef pass, Operation *op, StringRef strategy,
                          const Twine &reason) {
  remark::analysis(op->getLoc(),
                   remark::RemarkOpts::name("Rejected").category(pass))
      << remark::add("{0} not lowered by {1}",
                     op->getName().getStringRef().str(), strategy.str())
      << remark::reason("{0}", reason.str());
}
