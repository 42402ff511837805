// convert-linalg-to-pool on searches for the position of a maximum that differ
// from torch-mlir's in types, users or operands. A search becomes the indices
// of a pooling only if it belongs to the same windows and the same input. Any
// other search must stay.

// RUN: pool-opt %s --convert-linalg-to-pool --remarks-filter=convert-linalg-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#outputs = affine_map<(n, c, o, t) -> (n, c, o)>
#taps = affine_map<(n, c, o, t) -> (t)>
#loops = ["parallel", "parallel", "parallel", "reduction"]

// The indices have the type of the search, not of the extremum.
// CHECK-LABEL: func.func @more_static(
// CHECK:         pool.max_pool
// CHECK:         %[[STATIC:.+]] = tensor.cast %{{.+}} : tensor<3x2x?xi64> to tensor<3x2x4xi64>
// CHECK:         return %{{.+}}, %[[STATIC]]
func.func @more_static(%x: tensor<3x2x?xf32>, %extent: index) -> (tensor<3x2x?xf32>, tensor<3x2x4xi64>) {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty(%extent) : tensor<3x2x?xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  %first = arith.constant dense<-1> : tensor<3x2x4xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x?xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  %indices = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x?xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x?xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x4xi64>
  return %values, %indices : tensor<3x2x?xf32>, tensor<3x2x4xi64>
}

// CHECK-LABEL: func.func @more_dynamic(
// CHECK:         %{{.+}}, %[[INDICES:.+]] = pool.max_pool
// CHECK:         %[[DYNAMIC:.+]] = tensor.cast %[[INDICES]] : tensor<3x2x4xi64> to tensor<?x2x4xi64>
// CHECK:         return %[[DYNAMIC]]
func.func @more_dynamic(%x: tensor<3x2x8xf32>, %extent: index) -> tensor<?x2x4xi64> {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %places = tensor.empty(%extent) : tensor<?x2x4xi64>
  %first = linalg.fill ins(%none : i64) outs(%places : tensor<?x2x4xi64>) -> tensor<?x2x4xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %indices = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<?x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<?x2x4xi64>
  return %indices : tensor<?x2x4xi64>
}

// The windows give 4 outputs, but the search has 5.
// CHECK-LABEL: func.func @other_extent(
// CHECK:         pool.max_pool
// CHECK:         linalg.generic
func.func @other_extent(%x: tensor<3x2x8xf32>) -> tensor<3x2x5xi64> {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %width = tensor.dim %x, %c2 : tensor<3x2x8xf32>
  %extent = arith.floordivsi %width, %c2 : index
  %empty = tensor.empty(%extent) : tensor<3x2x?xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  %first = arith.constant dense<-1> : tensor<3x2x5xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  // REMARK: [Missed] LeftAlone | {{.*}} | Reason="its extents are not those that the windows give", Remark="linalg.generic left alone"
  %indices = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x?xf32>, tensor<2xi1>) outs(%first : tensor<3x2x5xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x5xi64>
  return %indices : tensor<3x2x5xi64>
}

// Both searches become the indices of one pooling.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[VALUES:.+]], %[[INDICES:.+]] = pool.max_pool
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[VALUES]], %[[INDICES]], %[[INDICES]]
func.func @twice(%x: tensor<3x2x8xf32>) -> (tensor<3x2x4xf32>, tensor<3x2x4xi64>, tensor<3x2x4xi64>) {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %first = arith.constant dense<-1> : tensor<3x2x4xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  // REMARK-DAG: [[#@LINE+1]]:{{.*}} [Passed] {{.*}}Remark="linalg.generic raised to pool.max_pool with indices"
  %second = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x4xi64>
  // REMARK-DAG: [[#@LINE+1]]:{{.*}} [Passed] {{.*}}Remark="linalg.generic raised to pool.max_pool with indices"
  %third = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x4xi64>
  return %values, %second, %third : tensor<3x2x4xf32>, tensor<3x2x4xi64>, tensor<3x2x4xi64>
}

// A search that is raised does not hide one that stays.
// CHECK-LABEL: func.func @one_of_two(
// CHECK:         pool.max_pool
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @one_of_two(%x: tensor<3x2x8xf32>) -> (tensor<3x2x4xi64>, tensor<3x2x4xi64>) {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %first = arith.constant dense<-1> : tensor<3x2x4xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %raised = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x4xi64>
  // REMARK-DAG: [[#@LINE+1]]:{{.*}} [Missed] LeftAlone | {{.*}} | Reason="its indices are not the positions of elements in their plane"
  %left = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
      ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
  ^bb0(%in: f32, %tap: i1, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = linalg.index 2 : index
    %t = linalg.index 3 : index
    %s = arith.muli %o, %c2 : index
    %at = arith.addi %s, %t : index
    %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast %t : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<3x2x4xi64>
  return %raised, %left : tensor<3x2x4xi64>, tensor<3x2x4xi64>
}

// %place is an index of the outer operation. The search has a loop with the
// same number, but %place is not the variable of that loop.
// CHECK-LABEL: func.func @outer_index(
// CHECK:         linalg.generic
// CHECK:         pool.max_pool
// CHECK:         linalg.generic
func.func @outer_index(%x: tensor<3x2x8xf32>, %y: tensor<3x2x4xi64>) -> tensor<3x2x4xi64> {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %first = arith.constant dense<-1> : tensor<3x2x4xi64>
  %window = tensor.empty() : tensor<2xf32>
  %taps = tensor.empty() : tensor<2xi1>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, c, o) -> (n, c, o)>],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%y : tensor<3x2x4xi64>) {
  ^bb0(%out: i64):
    %place = linalg.index 2 : index
    %zero = arith.constant 0 : index
    %values = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
        ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
    // REMARK-DAG: [[#@LINE+1]]:{{.*}} [Missed] LeftAlone | {{.*}} | Reason="its indices are not the positions of elements in their plane"
    %indices = linalg.generic {indexing_maps = [#outputs, #taps, #outputs], iterator_types = #loops}
        ins(%values, %taps : tensor<3x2x4xf32>, tensor<2xi1>) outs(%first : tensor<3x2x4xi64>) {
    ^bb0(%in: f32, %tap: i1, %found: i64):
      %n = linalg.index 0 : index
      %c = linalg.index 1 : index
      %t = linalg.index 3 : index
      %s = arith.muli %place, %c2 : index
      %at = arith.addi %s, %t : index
      %element = tensor.extract %x[%n, %c, %at] : tensor<3x2x8xf32>
      %equal = arith.cmpf oeq, %element, %in : f32
      %position = arith.index_cast %at : index to i64
      %taken = arith.select %equal, %position, %found : i64
      %isFirst = arith.cmpi eq, %found, %none : i64
      %kept = arith.select %isFirst, %taken, %found : i64
      linalg.yield %kept : i64
    } -> tensor<3x2x4xi64>
    %index = tensor.extract %indices[%zero, %zero, %zero] : tensor<3x2x4xi64>
    linalg.yield %index : i64
  } -> tensor<3x2x4xi64>
  return %sums : tensor<3x2x4xi64>
}

// The search for the positions of %b reads %a as its taps. So %a is raised
// without indices.
// CHECK-LABEL: func.func @extremum_as_taps(
// CHECK:         %[[A:.+]] = pool.max_pool %{{.+}} : tensor<3x2x8xf32> -> tensor<3x2x4xf32>
// CHECK:         %[[B:.+]], %[[INDICES:.+]] = pool.max_pool %{{.+}} kernel [3, 2, 4]
// CHECK:         return %[[A]], %[[INDICES]]
func.func @extremum_as_taps(%x: tensor<3x2x8xf32>, %y: tensor<1x1x3x2x4xf32>)
    -> (tensor<3x2x4xf32>, tensor<1x1x1x1x1xi64>) {
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %window = tensor.empty() : tensor<2xf32>
  %a = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<3x2x8xf32>, tensor<2xf32>) outs(%inits : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %c4 = arith.constant 4 : index
  %one = tensor.empty() : tensor<1x1x1x1x1xf32>
  %start = linalg.fill ins(%init : f32) outs(%one : tensor<1x1x1x1x1xf32>) -> tensor<1x1x1x1x1xf32>
  %b = linalg.generic {
      indexing_maps = [affine_map<(n, c, o, p, q, t, u, v) -> (n, c, o + t, p + u, q + v)>,
                       affine_map<(n, c, o, p, q, t, u, v) -> (t, u, v)>,
                       affine_map<(n, c, o, p, q, t, u, v) -> (n, c, o, p, q)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction",
                        "reduction"]}
      ins(%y, %a : tensor<1x1x3x2x4xf32>, tensor<3x2x4xf32>) outs(%start : tensor<1x1x1x1x1xf32>) {
  ^bb0(%in: f32, %tap: f32, %most: f32):
    %more = arith.maximumf %in, %most : f32
    linalg.yield %more : f32
  } -> tensor<1x1x1x1x1xf32>
  %first = arith.constant dense<-1> : tensor<1x1x1x1x1xi64>
  %indices = linalg.generic {
      indexing_maps = [affine_map<(n, c, o, p, q, t, u, v) -> (n, c, o, p, q)>,
                       affine_map<(n, c, o, p, q, t, u, v) -> (t, u, v)>,
                       affine_map<(n, c, o, p, q, t, u, v) -> (n, c, o, p, q)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction",
                        "reduction"]}
      ins(%b, %a : tensor<1x1x1x1x1xf32>, tensor<3x2x4xf32>) outs(%first : tensor<1x1x1x1x1xi64>) {
  ^bb0(%in: f32, %tap: f32, %found: i64):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %t = linalg.index 5 : index
    %u = linalg.index 6 : index
    %v = linalg.index 7 : index
    %element = tensor.extract %y[%n, %c, %t, %u, %v] : tensor<1x1x3x2x4xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %rows = arith.muli %t, %c2 : index
    %row = arith.addi %rows, %u : index
    %begin = arith.muli %row, %c4 : index
    %at = arith.addi %begin, %v : index
    %position = arith.index_cast %at : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  } -> tensor<1x1x1x1x1xi64>
  return %a, %indices : tensor<3x2x4xf32>, tensor<1x1x1x1x1xi64>
}
