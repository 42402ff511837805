; LLVM 22.1.8: llc -O2 stores 4 bytes for @bytes, 8 for @words; the mask has one
; lane, of 1 and 4 bytes.
target triple = "x86_64-unknown-linux-gnu"

define void @bytes(<8 x i32> %x, ptr %p) "target-cpu"="x86-64-v4" {
  %t = trunc <8 x i32> %x to <8 x i8>
  call void @llvm.masked.store.v8i8.p0(<8 x i8> %t, ptr align 1 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

define void @words(<8 x i64> %x, ptr %p) "target-cpu"="x86-64-v4" {
  %t = trunc <8 x i64> %x to <8 x i32>
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t, ptr align 4 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}
