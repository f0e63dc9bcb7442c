(* The program of kernel.v in OCaml. What is trusted: Coq's extraction; Coq's own mapping of integers
   to Zarith and of nat to int (which is right for numbers below 2^62: sizes and record numbers); and
   the lines below, each of which says what a function of Coq is in OCaml. *)

Require Import ZArith Arith ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
Require Import kernel.

Extraction Blacklist List String Z.

Extract Constant indexed => "(fun default l ->
  let a = Array.of_list l in
  let n = Array.length a in
  fun i -> if i < n then a.(i) else default)".

Extract Inlined Constant Z.leb => "Big_int_Z.le_big_int".
Extract Inlined Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extract Inlined Constant Datatypes.app => "( @ )".

Extraction "kernel.ml" verdict.
