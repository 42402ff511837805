func.func @f() {
  %n = "other.size"() : () -> index
  return
}
