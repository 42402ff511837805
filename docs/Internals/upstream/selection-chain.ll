; LLVM 22.1.8: opt -passes=loop-idiom takes a time exponential in the number of selections.
define i32 @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi i32 [ 0, %entry ], [ %s34, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %a
  %c0 = icmp sgt i32 %s0, 0
  %s1 = select i1 %c0, i32 %s0, i32 %x
  %c1 = icmp sgt i32 %s1, 1
  %s2 = select i1 %c1, i32 %s1, i32 %x
  %c2 = icmp sgt i32 %s2, 2
  %s3 = select i1 %c2, i32 %s2, i32 %x
  %c3 = icmp sgt i32 %s3, 3
  %s4 = select i1 %c3, i32 %s3, i32 %x
  %c4 = icmp sgt i32 %s4, 4
  %s5 = select i1 %c4, i32 %s4, i32 %x
  %c5 = icmp sgt i32 %s5, 5
  %s6 = select i1 %c5, i32 %s5, i32 %x
  %c6 = icmp sgt i32 %s6, 6
  %s7 = select i1 %c6, i32 %s6, i32 %x
  %c7 = icmp sgt i32 %s7, 7
  %s8 = select i1 %c7, i32 %s7, i32 %x
  %c8 = icmp sgt i32 %s8, 8
  %s9 = select i1 %c8, i32 %s8, i32 %x
  %c9 = icmp sgt i32 %s9, 9
  %s10 = select i1 %c9, i32 %s9, i32 %x
  %c10 = icmp sgt i32 %s10, 10
  %s11 = select i1 %c10, i32 %s10, i32 %x
  %c11 = icmp sgt i32 %s11, 11
  %s12 = select i1 %c11, i32 %s11, i32 %x
  %c12 = icmp sgt i32 %s12, 12
  %s13 = select i1 %c12, i32 %s12, i32 %x
  %c13 = icmp sgt i32 %s13, 13
  %s14 = select i1 %c13, i32 %s13, i32 %x
  %c14 = icmp sgt i32 %s14, 14
  %s15 = select i1 %c14, i32 %s14, i32 %x
  %c15 = icmp sgt i32 %s15, 15
  %s16 = select i1 %c15, i32 %s15, i32 %x
  %c16 = icmp sgt i32 %s16, 16
  %s17 = select i1 %c16, i32 %s16, i32 %x
  %c17 = icmp sgt i32 %s17, 17
  %s18 = select i1 %c17, i32 %s17, i32 %x
  %c18 = icmp sgt i32 %s18, 18
  %s19 = select i1 %c18, i32 %s18, i32 %x
  %c19 = icmp sgt i32 %s19, 19
  %s20 = select i1 %c19, i32 %s19, i32 %x
  %c20 = icmp sgt i32 %s20, 20
  %s21 = select i1 %c20, i32 %s20, i32 %x
  %c21 = icmp sgt i32 %s21, 21
  %s22 = select i1 %c21, i32 %s21, i32 %x
  %c22 = icmp sgt i32 %s22, 22
  %s23 = select i1 %c22, i32 %s22, i32 %x
  %c23 = icmp sgt i32 %s23, 23
  %s24 = select i1 %c23, i32 %s23, i32 %x
  %c24 = icmp sgt i32 %s24, 24
  %s25 = select i1 %c24, i32 %s24, i32 %x
  %c25 = icmp sgt i32 %s25, 25
  %s26 = select i1 %c25, i32 %s25, i32 %x
  %c26 = icmp sgt i32 %s26, 26
  %s27 = select i1 %c26, i32 %s26, i32 %x
  %c27 = icmp sgt i32 %s27, 27
  %s28 = select i1 %c27, i32 %s27, i32 %x
  %c28 = icmp sgt i32 %s28, 28
  %s29 = select i1 %c28, i32 %s28, i32 %x
  %c29 = icmp sgt i32 %s29, 29
  %s30 = select i1 %c29, i32 %s29, i32 %x
  %c30 = icmp sgt i32 %s30, 30
  %s31 = select i1 %c30, i32 %s30, i32 %x
  %c31 = icmp sgt i32 %s31, 31
  %s32 = select i1 %c31, i32 %s31, i32 %x
  %c32 = icmp sgt i32 %s32, 32
  %s33 = select i1 %c32, i32 %s32, i32 %x
  %c33 = icmp sgt i32 %s33, 33
  %s34 = select i1 %c33, i32 %s33, i32 %x
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 8
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %s34
}
