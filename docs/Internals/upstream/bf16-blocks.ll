; LLVM 22.1.8: a bf16 that lives across blocks is flushed, though nothing converts it.
define bfloat @pick(ptr %p, ptr %q, i1 %c) {
entry:
  %a = load bfloat, ptr %p
  br i1 %c, label %then, label %end
then:
  %b = load bfloat, ptr %q
  br label %end
end:
  %r = phi bfloat [ %a, %entry ], [ %b, %then ]
  ret bfloat %r
}
define void @copy(ptr %p, ptr %q, i1 %c) {
entry:
  %a = load bfloat, ptr %p
  br i1 %c, label %then, label %end
then:
  %b = load bfloat, ptr %q
  br label %end
end:
  %r = phi bfloat [ %a, %entry ], [ %b, %then ]
  store bfloat %r, ptr %q
  ret void
}
