// The strategies for planes of channels-first buffers: straight code, columns
// by way of a buffer, van Herk's blocks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANES_H

#include "Planes/PlaneShape.h"
#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

FailureOr<Candidate> planPlanes(MLIRContext *context, const Problem &problem,
                                std::string &reason);
LogicalResult checkPlanesPlan(PlanAttr plan, const Problem &problem,
                              PlanScope &scope, std::string &reason);
/// Emits a test that rows are at most as wide as the plan supports.
Value createPlanesCondition(WindowKernel &kernel, PlanAttr plan);
void emitPlanes(WindowKernel &kernel, PlanAttr plan);

FailureOr<Candidate> planBuffered(MLIRContext *context, const Problem &problem,
                                  std::string &reason);
LogicalResult checkBufferedPlan(PlanAttr plan, const Problem &problem,
                                PlanScope &scope, std::string &reason);
void emitBuffered(WindowKernel &kernel, PlanAttr plan);

FailureOr<Candidate> planVanHerk(MLIRContext *context, const Problem &problem,
                                 std::string &reason);
LogicalResult checkVanHerkPlan(PlanAttr plan, const Problem &problem,
                               PlanScope &scope, std::string &reason);
void emitVanHerk(WindowKernel &kernel, PlanAttr plan);

/// Returns the byte alignment of each row and strip in a result whose elements
/// have `elementBytes`; or none if non-temporal stores would be too short.
std::optional<int64_t> getStoreAlignment(const Problem &problem,
                                         const PlaneShape &shape,
                                         int64_t elementBytes);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANES_H
