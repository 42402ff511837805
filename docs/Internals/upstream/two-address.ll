; LLVM 22.1.8: llc -O3 ends with a segmentation fault; see two-address.md.
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p, ptr %q, i64 %i, i64 %n, i16 %w, <16 x float> %x, i1 %c) "target-cpu"="x86-64-v4" {
entry:
  br i1 %c, label %masked, label %head
masked:
  %address = getelementptr float, ptr %p, i64 %i
  %mask = bitcast i16 %w to <16 x i1>
  %lanes = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %address, <16 x i1> %mask, <16 x float> %x)
  %sum = fadd <16 x float> %lanes, %x
  store <16 x float> %sum, ptr %q, align 4
  ret void
head:
  %begin = add i64 %n, 3
  %end = add i64 %i, -7
  br label %loop
loop:
  %k = phi i64 [ %begin, %head ], [ %next, %loop ]
  %at = getelementptr i64, ptr %q, i64 %k
  store volatile i64 %n, ptr %at
  store volatile i64 %i, ptr %at
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
