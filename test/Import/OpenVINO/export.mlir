// Constants are written to a file beside the model, or to the file that
// --weights names. Layers get their names from locations. Convert is
// recognised even after other passes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: not pool-translate --export-openvino %s 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: the model has constants: -o names its file, or --weights theirs
// RUN: not pool-translate --export-openvino %s -o %t/model.bin 2>&1 | FileCheck %s --check-prefix=SAME-FILE
// SAME-FILE: error: the model cannot have the name of its constants
// RUN: pool-translate --export-openvino %s --weights=%t/constants | FileCheck %s
// RUN: pool-translate --export-openvino %s -o %t/model.xml
// RUN: cmp %t/constants %t/model.bin

// If the model or the weights cannot be written, neither file remains.
// RUN: mkdir %t/none
// RUN: not pool-translate --export-openvino %s -o /dev/full --weights=%t/none/w.bin 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not pool-translate --export-openvino %s -o %t/none/m.xml --weights=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not pool-translate --export-openvino %s --weights=%t/none/w.bin 2>&1 >/dev/full | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write {{.*}}: No space left on device
// RUN: ls %t/none | count 0

// CHECK: <net name="graph" version="11">
// CHECK: <layer id="0" name="image" type="Parameter" version="opset1">
// CHECK-NEXT: <data shape="1,2,-1,8" element_type="f32" />
// CHECK: <port id="0" precision="FP32" names="image">
// CHECK: <layer id="{{.*}}" name="pool" type="MaxPool" version="opset1">
// CHECK-NEXT: <data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" rounding_type="floor" auto_pad="explicit" />
// CHECK: <layer id="{{.*}}" name="pool_1" type="MaxPool" version="opset14">
// CHECK-NEXT: <data kernel="2,2" strides="2,2" dilations="1,1" pads_begin="0,0" pads_end="0,0" rounding_type="ceil_torch" auto_pad="explicit" index_element_type="i32" axis="0" />
// CHECK: type="AvgPool" version="opset16">
// CHECK: type="Convert" version="opset1">
// CHECK-NEXT: <data destination_type="f16" />
// CHECK: <layer id="[[SIZE:.*]]" name="Const_[[SIZE]]" type="Const" version="opset1">
// CHECK-NEXT: <data element_type="i64" shape="2" offset="0" size="16" />
// CHECK: <layer id="[[ADAPTIVE:.*]]" name="AdaptiveAvgPool_[[ADAPTIVE]]" type="AdaptiveAvgPool" version="opset8">
// CHECK: <edge from-layer="[[SIZE]]" from-port="0" to-layer="[[ADAPTIVE]]" to-port="1" />

// RUN: pool-translate --import-openvino %t/model.xml -o %t/model.mlir
// RUN: FileCheck %s --check-prefix=BACK --input-file %t/model.mlir
// BACK: func.func @graph
// BACK: arith.truncf
// RUN: pool-opt %t/model.mlir --canonicalize --cse | pool-translate --export-openvino -o %t/again.xml
// RUN: pool-translate --import-openvino %t/again.xml | diff %t/model.mlir -

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @graph(%x: tensor<1x2x?x8xf32> loc("image")) -> (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x3x3xf16>) {
  %a = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x2x?x8xf32> -> tensor<1x2x?x4xf32> loc("pool")
  %b = pool.max_pool %x kernel [2, 2] strides [2, 2] rounding_type ceil_torch : tensor<1x2x?x8xf32> -> tensor<1x2x?x4xf32> loc("pool")
  %c = pool.avg_pool %x kernel [2, 2] dilations [2, 2] : tensor<1x2x?x8xf32> -> tensor<1x2x?x6xf32>
  %c2 = arith.constant 2 : index
  %h = tensor.dim %c, %c2 : tensor<1x2x?x6xf32>
  %e = tensor.empty(%h) : tensor<1x2x?x6xf16>
  %d = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<1x2x?x6xf32>) outs(%e : tensor<1x2x?x6xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x?x6xf16>
  %g = pool.adaptive_avg_pool %d output_size [3, 3] : tensor<1x2x?x6xf16> -> tensor<1x2x3x3xf16>
  return %a, %b, %g : tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x3x3xf16>
}
