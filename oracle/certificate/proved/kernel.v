(* The kernel of docs/soundness.md as a program, and the proof that what it accepts is true.

   `verdict` takes a table and a certificate and says yes or no. The theorem `accepted_is_true`:
   if it says yes, the partition of the certificate is allowed and has the SSE `value`, and no
   allowed partition has an SSE below `bound`. Nothing is assumed. The program is that of
   oracle/certificate/kernel.py, function by function, and is extracted to OCaml (extract.v). *)

Require Import ZArith QArith Qround List Permutation Lia Lqa Bool Sorted Orders Mergesort Morphisms.
Import ListNotations.
Open Scope Z_scope.

(* PART 1. THE CLAIM *)

Definition group := list nat.

Definition total (values : list Q) : Q := fold_right Qplus 0%Q values.
Definition sum (values : list Z) : Z := fold_right Z.add 0 values.
Definition count {A} (l : list A) : Q := inject_Z (Z.of_nat (length l)).

Inductive scale := Plain | Population | Sample.

Record table := { rows : list (list Q); width : nat; how : scale }.

Definition records (t : table) : nat := length (rows t).
Definition value_of (t : table) (i a : nat) : Q := nth a (nth i (rows t) []) 0%Q.
Definition column (t : table) (a : nat) : list Q :=
  map (fun i => value_of t i a) (seq 0 (records t)).

(* The sum of the squared deviations of some numbers from their mean. *)
Definition mean (l : list Q) : Q := (total l / count l)%Q.
Definition squares (l : list Q) : Q := total (map (fun x => (x - mean l) * (x - mean l))%Q l).

(* What an attribute counts: 1, or 1 / variance with divisor n or n - 1; 0 if it is constant. *)
Definition weight (h : scale) (l : list Q) : Q :=
  match h with
  | Plain => 1
  | Population => if Qeq_bool (squares l) 0 then 0 else count l / squares l
  | Sample => if Qeq_bool (squares l) 0 then 0 else (count l - 1) / squares l
  end%Q.

Definition attributes (t : table) : list nat := seq 0 (width t).

Definition sse (t : table) (G : group) : Q :=
  total (map (fun a => (weight (how t) (column t a)
                        * squares (map (fun i => value_of t i a) G))%Q) (attributes t)).

Definition sse_of (t : table) (P : list group) : Q := total (map (sse t) P).

(* Certificates *)

Record cut := { members : list (nat * Z); divisor : Z }.

Record duals := {
  unit : Z; prices : list Z; fewest : Z; most : Z; charged : list (nat * Z) }.

Inductive costs := Rounded | Exact.

(* Vectors are products of a scale and a list; a triangle names three records. *)
Record cone := {
  step : Z; levels : list Z; highest : Z; scales : list Z; vectors : list (list Z);
  triangles : list (nat * nat * nat * Z) }.

Inductive node :=
  | Leaf (filters : list duals) (c : costs) (d : duals)
  | Cone (x : cone)
  | Division (filters : list duals) (a b : nat) (joined separated : node).

Record certificate := {
  k : nat; largest : nat; together : list (nat * nat); apart : list (nat * nat);
  partition : list group; value : Q; bound : Q; per_unit : Q; parts : Z;
  cuts : list cut; proof : node }.

Definition has (a : nat) (G : group) : bool := existsb (Nat.eqb a) G.

Definition keeps (joined separated : list (nat * nat)) (G : group) : bool :=
  forallb (fun p => eqb (has (fst p) G) (has (snd p) G)) joined
  && forallb (fun p => negb (has (fst p) G && has (snd p) G)) separated.

Definition allowed (n : nat) (c : certificate) (P : list group) : Prop :=
  Permutation (concat P) (seq 0 n)
  /\ forall G, In G P -> (k c <= length G <= largest c)%nat
                         /\ keeps (together c) (apart c) G = true.

(* PART 2. THE PROGRAM *)

(* An array: extracted as one. *)
Definition indexed {A} (default : A) (l : list A) : nat -> A := fun i => nth i l default.

Fixpoint pairs (G : group) : list (nat * nat) :=
  match G with [] => [] | i :: rest => map (pair i) rest ++ pairs rest end.

Definition over_pairs (d : nat -> nat -> Z) (G : group) : Z :=
  sum (map (fun p => d (fst p) (snd p)) (pairs G)).

Definition lcm_of (l : list Z) : Z := fold_right Z.lcm 1 l.
Definition gcd_of (l : list Z) : Z := fold_right Z.gcd 0 l.

(* Distances: Lemmas 1 to 3 *)

Definition finest (t : table) : Z := lcm_of (map (fun x => Zpos (Qden x)) (concat (rows t))).

Definition point (f : Z) (x : Q) : Z := Qnum x * (f / Zpos (Qden x)).

Definition spread (l : list Z) : Z :=
  Z.of_nat (length l) * sum (map (fun p => p * p) l) - sum l * sum l.

Definition lowest (num den : Z) : Z * Z := (num / Z.gcd num den, den / Z.gcd num den).

(* What a squared difference of points counts, in units of 1 / u. *)
Definition factor (h : scale) (u : Q) (f : Z) (l : list Z) : Z * Z :=
  let n := Z.of_nat (length l) in
  let un := Qnum u in let ud := Zpos (Qden u) in
  match h with
  | Plain => lowest un (ud * (f * f))
  | Population => if spread l =? 0 then (0, 1) else lowest (un * (n * n)) (ud * spread l)
  | Sample => if spread l =? 0 then (0, 1) else lowest (un * (n * (n - 1))) (ud * spread l)
  end.

Record distances := { points : nat -> nat -> Z; wholes : list Z; common : Z }.

Definition distances_of (t : table) (u : Q) : distances :=
  let f := finest t in
  let ps := map (map (point f)) (rows t) in
  let factors :=
    map (fun a => factor (how t) u f (map (fun p => nth a p 0) ps)) (attributes t) in
  let c := lcm_of (map snd factors) in
  {| points := indexed (indexed 0 []) (map (indexed 0) ps);
     wholes := map (fun x => fst x * (c / snd x)) factors;
     common := c |}.

Definition exact (m : nat) (d : distances) : nat -> nat -> Z :=
  let weight := indexed 0 (wholes d) in
  let all := seq 0 m in
  fun i =>
    let p := points d i in
    fun j =>
      let q := points d j in
      sum (map (fun a => let s := p a - q a in weight a * (s * s)) all).

Definition matrix (n : nat) (d : nat -> nat -> Z) : nat -> nat -> Z :=
  let rows := map (fun i => indexed 0 (map (d i) (seq 0 n))) (seq 0 n) in
  indexed (fun _ => 0) rows.

(* Costs *)

Definition sizes (c : certificate) : list nat := seq (k c) (S (largest c) - k c).
Definition whole (c : certificate) : Z := lcm_of (map Z.of_nat (sizes c)).
Definition share (c : certificate) (size : nat) : Z := parts c * (whole c / Z.of_nat size).
Definition cost (c : certificate) (d : nat -> nat -> Z) (G : group) : Z :=
  share c (length G) * over_pairs d G.
Definition units (c : certificate) : Q := (per_unit c * inject_Z (whole c * parts c))%Q.
Definition target (c : certificate) : Z :=
  parts c * (Qceiling (value c * per_unit c * inject_Z (whole c)) - 1).

(* Duals: Lemmas 5 to 7 *)

Definition cut_at (c : certificate) : nat -> cut := indexed {| members := []; divisor := 1 |} (cuts c).

(* Prices of cuts, in units of costs, with their cuts. *)
Definition local (at_ : nat -> cut) (d : duals) : list (Z * cut) :=
  map (fun x => (unit d * snd x, at_ (fst x))) (charged d).

Definition valid_duals (n : nat) (c : certificate) (d : duals) : bool :=
  (1 <=? unit d) && (length (prices d) =? n)%nat && (0 <=? fewest d) && (most d <=? 0)
  && forallb (fun x => (fst x <? length (cuts c))%nat && (snd x <=? 0)) (charged d).

Definition valid_cut (n : nat) (c : cut) : bool :=
  (1 <=? divisor c) && forallb (fun x => (fst x <? n)%nat && (0 <=? snd x)) (members c).

Definition proves (n : nat) (c : certificate) (at_ : nat -> cut) (d : duals) : Z :=
  unit d * (sum (prices d) + fewest d * - (- Z.of_nat n / Z.of_nat (largest c))
            + most d * (Z.of_nat n / Z.of_nat (k c)))
  + sum (map (fun x => fst x * (sum (map snd (members (snd x))) / divisor (snd x))) (local at_ d)).

(* The places of the cuts in which a record has a weight, and these weights. *)
Fixpoint flat (place : nat) (l : list (Z * cut)) : list (nat * (nat * Z)) :=
  match l with
  | [] => []
  | (_, c) :: rest => map (fun x => (fst x, (place, snd x))) (members c) ++ flat (S place) rest
  end.

Fixpoint add (x : nat * Z) (l : list (nat * Z)) : list (nat * Z) :=
  match l with
  | [] => [x]
  | (place, w) :: rest =>
      if (fst x =? place)%nat then (place, snd x + w) :: rest else (place, w) :: add x rest
  end.

Record priced := { y : nat -> Z; each : Z; entries : nat -> list (nat * Z); rates : nat -> Z * Z }.

Definition priced_by (n : nat) (at_ : nat -> cut) (d : duals) : priced :=
  let l := local at_ d in
  let all := flat 0 l in
  {| y := indexed 0 (map (Z.mul (unit d)) (prices d));
     each := unit d * (fewest d + most d);
     entries := indexed [] (map (fun i => map snd (filter (fun x => (fst x =? i)%nat) all)) (seq 0 n));
     rates := indexed (0, 1) (map (fun x => (fst x, divisor (snd x))) l) |}.

Definition paid (p : priced) (G : group) : Z :=
  let shares := fold_right add [] (flat_map (entries p) G) in
  sum (map (y p) G) + each p
  + sum (map (fun x => fst (rates p (fst x)) * (snd x / snd (rates p (fst x)))) shares).

(* The search for groups: Lemma 9 *)

Module Key <: TotalLeBool'.
  Definition t := (Z * nat)%type.
  Definition leb (a b : t) := fst a <=? fst b.
  Infix "<=?" := leb (at level 70, no associativity).
  Theorem leb_total : forall a b, a <=? b = true \/ b <=? a = true.
  Proof. intros. unfold leb. lia. Qed.
End Key.
Module Import KeySort := Sort Key.

Definition keys (l : list (Z * nat)) : Z := sum (map fst l).

(* The sums of the first numbers of a list: of none, of one and so on. *)
Fixpoint sums (so_far : Z) (l : list Z) : list Z :=
  so_far :: match l with [] => [] | x :: rest => sums (so_far + x) rest end.

(* The sum of the m least distances of a record, with its own of 0. *)
Definition least_sums (n : nat) (near : nat -> nat -> Z) : nat -> nat -> Z :=
  let row j := sort (map (fun i => (near j i, i)) (seq 0 n)) in
  indexed (fun _ => 0) (map (fun j => indexed 0 (sums 0 (map fst (row j)))) (seq 0 n)).

Fixpoint walk (descend : Z -> nat -> list (Z * nat) -> list group) (missing : nat) (slack : Z)
    (l : list (Z * nat)) : list group :=
  match l with
  | [] => []
  | (key, j) :: rest =>
      let least := firstn missing l in
      if (length least <? missing)%nat || (slack <? keys least) then []
      else descend key j rest ++ walk descend missing slack rest
  end.

(* half m j is what a record j that is one of m missing ones adds at least by its distances to the
   others: a half of its m - 1 least ones, as each distance is one of two records. *)
Fixpoint complete (near half : nat -> nat -> Z) (s : Z) (missing : nat) (part : group)
    (l : list (Z * nat)) (slack : Z) : list group :=
  match missing with
  | O => [part]
  | S m =>
      match m with
      | O => map (fun x => snd x :: part) (filter (fun x => fst x <=? slack) l)
      | S _ =>
          let sorted := sort (map (fun x => (fst x + half missing (snd x), snd x)) l) in
          let most := slack - keys (firstn m sorted) in
          walk (fun key j rest =>
                  let row := near j in
                  complete near half s m (j :: part)
                    (map (fun x => (fst x - half missing (snd x) + s * row (snd x), snd x)) rest)
                    (slack - (key - half missing j)))
            missing slack (filter (fun x => fst x <=? most) sorted)
      end
  end.

(* Is j less than the anchor, by price and number? *)
Definition before (y : nat -> Z) (j anchor : nat) : bool :=
  (y j <? y anchor) || ((y j =? y anchor) && (j <? anchor)%nat).

Definition found (n : nat) (c : certificate) (near least : nat -> nat -> Z) (p : priced)
    (limit : Z) (wanted : group -> bool) : list group :=
  flat_map (fun anchor =>
    let row := near anchor in
    let cheaper := filter (fun j => before (y p) j anchor) (seq 0 n) in
    flat_map (fun size =>
      let s := share c size in
      let half := fun m j => s * least j m / 2 in
      filter wanted
        (complete near half s (pred size) [anchor] (map (fun j => (s * row j - y p j, j)) cheaper)
          (limit + y p anchor + each p))) (sizes c)) (seq 0 n).

(* Vectors: Lemma 12 *)

Fixpoint dot (v w : list Z) : Z :=
  match v, w with a :: v, b :: w => a * b + dot v w | _, _ => 0 end.

(* What triangles move into an entry of the matrix: its row, its column, and how much. *)
Definition moves_of (x : cone) : list (nat * (nat * Z)) :=
  flat_map (fun m => let '(i, j, h, p) := m in
       [(i, (j, p)); (i, (h, p)); (i, (i, - p)); (j, (h, - p))]) (triangles x).

Definition at_place (place : nat) (l : list (nat * Z)) : Z :=
  sum (map snd (filter (fun x => (fst x =? place)%nat) l)).

Definition moved_in (moves : list (nat * (nat * Z))) (i : nat) : list (nat * Z) :=
  map snd (filter (fun m => (fst m =? i)%nat) moves).

(* The rows of the matrix. *)
Definition rows_of (c : certificate) (near : nat -> nat -> Z) (x : cone) : nat -> nat -> Z :=
  let level := indexed 0 (levels x) in
  let scale := indexed 0 (scales x) in
  let vector := indexed [] (vectors x) in
  let moves := moves_of x in
  fun i =>
    let v := vector i in
    let distance := near i in
    let moved := moved_in moves i in
    fun j =>
      parts c * distance j - scale i * scale j * dot v (vector j)
      + step x * (at_place j moved - (level i + level j) - if (i =? j)%nat then highest x else 0).

Definition least_of (l : list Z) : Z :=
  match l with [] => 0 | x :: rest => fold_right Z.min x rest end.

(* The least cost of a record and others of its row, over the sizes of a group. *)
Definition row_bound (n : nat) (c : certificate) (row : nat -> Z) (i : nat) : Z :=
  let others :=
    sort (map (fun j => (row j, j)) (filter (fun j => negb (j =? i)%nat) (seq 0 n))) in
  least_of (map (fun s => whole c / Z.of_nat s * (row i + keys (firstn (pred s) others))) (sizes c)).

Definition valid_cone (n : nat) (x : cone) : bool :=
  (length (vectors x) =? n)%nat && (length (scales x) =? n)%nat && (length (levels x) =? n)%nat
  && (1 <=? step x) && (highest x <=? 0)
  && forallb (fun m => let '(i, j, h, p) := m in
       (i <? n)%nat && (j <? n)%nat && (h <? n)%nat && (0 <=? p)) (triangles x).

Definition cone_bound (n : nat) (c : certificate) (near : nat -> nat -> Z) (x : cone) : Z :=
  let rows := rows_of c near x in
  let twice := sum (map (fun i => row_bound n c (rows i) i) (seq 0 n))
    + whole c * step x * (2 * sum (levels x) + highest x * (Z.of_nat n / Z.of_nat (k c))) in
  - (- twice / 2).

(* The groups of a node: those that keep constraints, or those that are listed with their costs. *)
Inductive scope := All (joined separated : list (nat * nat)) | Listed (l : list (Z * group)).

Definition half (joined separated : list (nat * nat)) (s : scope) : scope :=
  match s with
  | All j a => All (j ++ joined) (a ++ separated)
  | Listed l => Listed (filter (fun x => keeps joined separated (snd x)) l)
  end.

Section Walk.

Variable n : nat.
Variable c : certificate.
Variable at_ : nat -> cut.
Variable near : nat -> nat -> Z.
Variable least : nat -> nat -> Z.
Variable distance : nat -> nat -> Z.
Variable enough : Z.  (* the value in units of exact costs *)
Variable grain : Z.  (* exact costs are multiples of this *)

Definition candidates (p : priced) (s : scope) (limit : Z) : list (Z * group) :=
  match s with
  | Listed l => l
  | All j a => map (fun G => (cost c near G, G)) (found n c near least p limit
      (fun G => keeps j a G && (cost c near G - paid p G <=? limit)))
  end.

(* The bound of duals and the groups within the gap from it to T; None: rejected. *)
Definition within (T : Z) (d : duals) (s : scope) (lists : bool)
    : option (Z * list (Z * group)) :=
  if valid_duals n c d then
    let p := priced_by n at_ d in
    let b := proves n c at_ d in
    let limit := if lists then Z.max (T - b) (-1) else -1 in
    let reduced := map (fun x => (fst x - paid p (snd x), x)) (candidates p s limit) in
    if forallb (fun x => 0 <=? fst x) reduced
    then Some (b, map snd (filter (fun x => fst x <=? limit) reduced)) else None
  else None.

Fixpoint after (filters : list duals) (T : Z) (s : scope) (next : scope -> option Z) : option Z :=
  match filters with
  | [] => next s
  | d :: rest =>
      match within T d s true with
      | None => None
      | Some (b, l) => option_map (Z.max b) (after rest T (Listed l) next)
      end
  end.

(* Go on with costs as they are, or with exact costs, on which nothing may be below the value. *)
Definition on_costs (cs : costs) (T : Z) (s : scope) (next : Z -> scope -> option Z) : option Z :=
  match cs, s with
  | Rounded, _ => next T s
  | Exact, All _ _ => None
  | Exact, Listed l =>
      match next (enough - grain) (Listed (map (fun x => (cost c distance (snd x), snd x)) l)) with
      | Some b => if enough - grain <? b then Some (T + 1) else None
      | None => None
      end
  end.

(* The bound that a node proves; above T if nothing there costs at most T. *)
Fixpoint check (t : node) (T : Z) (s : scope) : option Z :=
  match t with
  | Leaf filters cs d => after filters T s (fun s =>
      on_costs cs T s (fun T s => option_map fst (within T d s false)))
  | Cone x =>
      match s with
      | All _ _ => if valid_cone n x then Some (cone_bound n c near x) else None
      | Listed _ => None
      end
  | Division filters a b joined separated =>
      after filters T s (fun s =>
        match check joined T (half [(a, b)] [] s), check separated T (half [] [(a, b)] s) with
        | Some x, Some y => Some (Z.min x y)
        | _, _ => None
        end)
  end.

End Walk.

Definition two (n : nat) (p : nat * nat) : bool :=
  (fst p <? n)%nat && (snd p <? n)%nat && negb (fst p =? snd p)%nat.

Definition check_request (n : nat) (c : certificate) : bool :=
  (1 <=? k c)%nat && (k c <=? largest c)%nat && (largest c <=? n)%nat
  && (0 <? Qnum (per_unit c)) && (1 <=? parts c)
  && forallb (two n) (together c ++ apart c) && forallb (valid_cut n) (cuts c).

Definition is_partition (n : nat) (P : list group) : bool :=
  let all := concat P in
  (length all =? n)%nat && forallb (fun i => has i all) (seq 0 n).

(* The SSE of a partition, in units of exact costs without parts. *)
Definition exact_total (c : certificate) (d : nat -> nat -> Z) (P : list group) : Z :=
  sum (map (fun G => whole c / Z.of_nat (length G) * over_pairs d G) P).

Definition check_partition (n : nat) (c : certificate) (d : nat -> nat -> Z) (shared : Z) : bool :=
  is_partition n (partition c)
  && forallb (fun G => (k c <=? length G)%nat && (length G <=? largest c)%nat
                       && keeps (together c) (apart c) G) (partition c)
  && (exact_total c d (partition c) * (Zpos (Qden (value c)) * Zpos (Qden (per_unit c)))
      =? Qnum (value c) * Qnum (per_unit c) * (whole c * shared)).

Definition accepts (n : nat) (c : certificate) (near d : nat -> nat -> Z) (g : Z) : bool :=
  match check n c (cut_at c) near (least_sums n near) d (parts c * exact_total c d (partition c))
          (Z.max 1 (parts c * g)) (proof c) (target c) (All (together c) (apart c)) with
  | None => false
  | Some proved =>
      let b := Z.max 0 proved in  (* nothing costs less than 0 *)
      if target c <? b then Qle_bool (bound c) (value c)
      else Qle_bool (bound c * units c) (inject_Z b)
  end.

Definition verdict (t : table) (c : certificate) : bool :=
  let n := records t in
  if check_request n c then
    let d := distances_of t (per_unit c) in
    let e := exact (width t) d in
    check_partition n c e (common d) && accepts n c (matrix n (fun i j => e i j / common d)) e (gcd_of (wholes d))
  else false.

(* PART 3. THE PROOF *)

(* Sums *)

Lemma sum_app : forall a b, sum (a ++ b) = sum a + sum b.
Proof. induction a; intros; simpl; [reflexivity | rewrite IHa; lia]. Qed.

Lemma sum_permutation : forall a b, Permutation a b -> sum a = sum b.
Proof. induction 1; simpl; lia. Qed.

Lemma sum_map_permutation : forall (A : Type) (f : A -> Z) a b,
  Permutation a b -> sum (map f a) = sum (map f b).
Proof. intros. apply sum_permutation, Permutation_map. assumption. Qed.

Lemma sum_concat : forall (A : Type) (f : A -> Z) (lists : list (list A)),
  sum (map f (concat lists)) = sum (map (fun l => sum (map f l)) lists).
Proof.
  induction lists; simpl; [reflexivity |].
  rewrite map_app, sum_app, IHlists. reflexivity.
Qed.

Lemma sum_plus : forall (A : Type) (f g : A -> Z) l,
  sum (map (fun x => f x + g x) l) = sum (map f l) + sum (map g l).
Proof. induction l; simpl; lia. Qed.

Lemma sum_scaled : forall (A : Type) (c : Z) (f : A -> Z) l,
  sum (map (fun x => c * f x) l) = c * sum (map f l).
Proof. induction l; simpl; lia. Qed.

Lemma sum_constant : forall (A : Type) (c : Z) (l : list A),
  sum (map (fun _ => c) l) = c * Z.of_nat (length l).
Proof. induction l; simpl length; simpl map; simpl sum; lia. Qed.

Lemma sum_le : forall (A : Type) (f g : A -> Z) l,
  (forall x, In x l -> f x <= g x) -> sum (map f l) <= sum (map g l).
Proof.
  induction l; simpl; intros; [lia |].
  pose proof (H a (or_introl eq_refl)).
  assert (sum (map f l) <= sum (map g l)) by (apply IHl; auto). lia.
Qed.

Lemma sum_ext : forall (A : Type) (f g : A -> Z) l,
  (forall x, In x l -> f x = g x) -> sum (map f l) = sum (map g l).
Proof. intros. f_equal. apply map_ext_in. assumption. Qed.

Lemma sum_nonnegative : forall (A : Type) (f : A -> Z) l,
  (forall x, In x l -> 0 <= f x) -> 0 <= sum (map f l).
Proof.
  intros. pose proof (sum_le A (fun _ => 0) f l H). rewrite sum_constant in H0. lia.
Qed.

Lemma part_of_sum : forall (A : Type) (f : A -> Z) l x,
  (forall y, In y l -> 0 <= f y) -> In x l -> f x <= sum (map f l).
Proof.
  induction l; simpl; intros x positive member; [contradiction |].
  destruct member as [same | member].
  - subst. assert (0 <= sum (map f l)) by (apply sum_nonnegative; auto). lia.
  - pose proof (positive a (or_introl eq_refl)).
    assert (f x <= sum (map f l)) by (apply IHl; auto). lia.
Qed.

Lemma sums_exchange : forall (A B : Type) (f : A -> B -> Z) (l : list A) (m : list B),
  sum (map (fun x => sum (map (f x) m)) l) = sum (map (fun y => sum (map (fun x => f x y) l)) m).
Proof.
  induction l; intros; simpl.
  - rewrite sum_constant. lia.
  - rewrite IHl, <- sum_plus. reflexivity.
Qed.

Lemma sum_multiple : forall (A : Type) (f : A -> Z) (m : Z) l,
  (forall x, In x l -> (m | f x)) -> (m | sum (map f l)).
Proof.
  induction l; simpl; intros; [apply Z.divide_0_r |].
  apply Z.divide_add_r; auto.
Qed.

Lemma sum_flat_map : forall (A B : Type) (f : B -> Z) (g : A -> list B) l,
  sum (map f (flat_map g l)) = sum (map (fun x => sum (map f (g x))) l).
Proof. induction l; simpl; [reflexivity |]. rewrite map_app, sum_app, IHl. reflexivity. Qed.

Lemma floors_add : forall a b q, 0 < q -> a / q + b / q <= (a + b) / q.
Proof.
  intros. apply Z.div_le_lower_bound; [assumption |].
  pose proof (Z.mul_div_le a q H). pose proof (Z.mul_div_le b q H). lia.
Qed.

(* Lemma 6, for the weights of groups that do not overlap. *)
Lemma rank_1 : forall q (weights : list Z), 0 < q ->
  sum (map (fun w => w / q) weights) <= sum weights / q.
Proof.
  induction weights; simpl; intros.
  - rewrite Z.div_0_l; lia.
  - pose proof (floors_add a (sum weights) q H). specialize (IHweights H). lia.
Qed.

Lemma total_eq : forall (A : Type) (f g : A -> Q) l,
  (forall x, In x l -> (f x == g x)%Q) -> (total (map f l) == total (map g l))%Q.
Proof.
  induction l; simpl; intros; [reflexivity |].
  rewrite (H a), IHl; auto; reflexivity.
Qed.

Lemma total_scaled : forall (A : Type) (c : Q) (f : A -> Q) l,
  (total (map (fun x => c * f x) l) == c * total (map f l))%Q.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.

Lemma total_plus : forall (A : Type) (f g : A -> Q) l,
  (total (map (fun x => f x + g x) l) == total (map f l) + total (map g l))%Q.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.

Lemma total_app : forall a b, (total (a ++ b) == total a + total b)%Q.
Proof. induction a; intros; simpl; [ring | rewrite IHa; ring]. Qed.

Lemma total_whole : forall (A : Type) (f : A -> Z) l,
  (total (map (fun x => inject_Z (f x)) l) == inject_Z (sum (map f l)))%Q.
Proof. induction l; simpl; [reflexivity | rewrite IHl, inject_Z_plus; reflexivity]. Qed.

Lemma totals_exchange : forall (A B : Type) (f : A -> B -> Q) (l : list A) (m : list B),
  (total (map (fun x => total (map (f x) m)) l)
   == total (map (fun y => total (map (fun x => f x y) l)) m))%Q.
Proof.
  induction l; intros; simpl.
  - induction m; simpl; [reflexivity | rewrite <- IHm; ring].
  - rewrite IHl, <- total_plus. reflexivity.
Qed.

Lemma total_nonnegative : forall (A : Type) (f : A -> Q) l,
  (forall x, In x l -> (0 <= f x)%Q) -> (0 <= total (map f l))%Q.
Proof.
  induction l; simpl; intros; [apply Qle_refl |].
  assert (0 <= f a)%Q by auto. assert (0 <= total (map f l))%Q by auto. lra.
Qed.

(* Least common multiples *)

Lemma lcm_positive : forall l, (forall x, In x l -> 0 < x) -> 0 < lcm_of l.
Proof.
  induction l; simpl; intros; [lia |].
  assert (0 < a) by auto. assert (0 < lcm_of l) by auto.
  pose proof (Z.lcm_nonneg a (lcm_of l)).
  assert (Z.lcm a (lcm_of l) <> 0); [| lia].
  intro zero. apply Z.lcm_eq_0 in zero. lia.
Qed.

Lemma lcm_multiple : forall l x, In x l -> (x | lcm_of l).
Proof.
  induction l; simpl; intros x member; [contradiction |].
  destruct member as [<- | member]; [apply Z.divide_lcm_l |].
  eapply Z.divide_trans; [apply IHl; assumption | apply Z.divide_lcm_r].
Qed.

Lemma quotient : forall a b, 0 < a -> (a | b) -> a * (b / a) = b.
Proof.
  intros a b positive [q ->]. rewrite Z.div_mul by lia. ring.
Qed.

(* Lemma 2: pairs *)

Lemma one_with_all : forall (f : nat -> Q) i rest,
  (total (map (fun p => (f (fst p) - f (snd p)) * (f (fst p) - f (snd p))) (map (pair i) rest))
   == count rest * (f i * f i) - 2 * f i * total (map f rest)
      + total (map (fun j => f j * f j) rest))%Q.
Proof.
  induction rest; [unfold count; simpl; ring |].
  cbn [map total fold_right fst snd] in *.
  unfold total in IHrest |- *. rewrite IHrest.
  unfold count. cbn [length]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
  change (inject_Z 1) with 1%Q. ring.
Qed.

Lemma all_pairs : forall (f : nat -> Q) G,
  (total (map (fun p => (f (fst p) - f (snd p)) * (f (fst p) - f (snd p))) (pairs G))
   == count G * total (map (fun j => f j * f j) G) - total (map f G) * total (map f G))%Q.
Proof.
  induction G as [| i rest]; [unfold count; simpl; ring |].
  cbn [pairs]. rewrite map_app, total_app, one_with_all, IHrest.
  cbn [map total fold_right]. unfold total, count. cbn [length].
  rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1%Q. ring.
Qed.

Lemma count_positive : forall (A : Type) (l : list A), l <> [] -> (0 < count l)%Q.
Proof.
  intros A l some. unfold count. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt.
  destruct l; [contradiction | simpl length; lia].
Qed.

Lemma squares_expanded : forall l, l <> [] ->
  (squares l == total (map (fun x => x * x) l) - total l * total l / count l)%Q.
Proof.
  intros l some. unfold squares.
  assert (expanded : forall m, (total (map (fun x => (x - m) * (x - m)) l)
                       == total (map (fun x => x * x) l) - 2 * m * total l + count l * (m * m))%Q).
  { intros m. clear some. induction l; [unfold count; simpl; ring |].
    cbn [map total fold_right]. unfold total in IHl |- *. rewrite IHl. unfold count. cbn [length].
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
    change (inject_Z 1) with 1%Q. ring. }
  rewrite expanded. unfold mean. pose proof (count_positive _ l some) as positive.
  field. intro zero. rewrite zero in positive. exact (Qlt_irrefl 0 positive).
Qed.

Lemma pair_formula : forall (f : nat -> Q) G, G <> [] ->
  (squares (map f G)
   == total (map (fun p => (f (fst p) - f (snd p)) * (f (fst p) - f (snd p))) (pairs G))
      / count G)%Q.
Proof.
  intros f G some. rewrite all_pairs, squares_expanded.
  - rewrite map_map. unfold count. rewrite map_length.
    pose proof (count_positive _ G some) as positive. unfold count in positive.
    field. intro zero. rewrite zero in positive. exact (Qlt_irrefl 0 positive).
  - destruct G; [contradiction | discriminate].
Qed.

Lemma square_nonnegative : forall z : Q, (0 <= z * z)%Q.
Proof. intros [p q]. unfold Qle. simpl. nia. Qed.

Lemma squares_nonnegative : forall l, (0 <= squares l)%Q.
Proof. intros. unfold squares. apply total_nonnegative. intros. apply square_nonnegative. Qed.

Definition distance (t : table) (i j : nat) : Q :=
  total (map (fun a => (weight (how t) (column t a)
    * ((value_of t i a - value_of t j a) * (value_of t i a - value_of t j a)))%Q) (attributes t)).

Theorem sse_by_pairs : forall t G, G <> [] ->
  (sse t G == total (map (fun p => distance t (fst p) (snd p)) (pairs G)) / count G)%Q.
Proof.
  intros t G some. unfold sse, distance.
  rewrite totals_exchange. unfold Qdiv. rewrite Qmult_comm, <- total_scaled.
  apply total_eq. intros a _. rewrite total_scaled.
  rewrite (pair_formula (fun i => value_of t i a) G some). unfold Qdiv. ring.
Qed.

(* Lemmas 1 and 3: distances as integers over a common denominator *)

Lemma inject_positive : forall z, 0 < z -> (0 < inject_Z z)%Q.
Proof. intros. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. assumption. Qed.

Lemma inject_nonzero : forall z, 0 < z -> ~ (inject_Z z == 0)%Q.
Proof. intros z positive. change 0%Q with (inject_Z 0). rewrite inject_Z_injective. lia. Qed.

Lemma fraction : forall q : Q, (q == inject_Z (Qnum q) / inject_Z (Zpos (Qden q)))%Q.
Proof. intros [p q]. unfold Qeq, Qdiv, Qmult, Qinv, inject_Z. simpl. lia. Qed.

Lemma all_of_them : forall (A : Type) (d : A) l,
  map (fun i => nth i l d) (seq 0 (length l)) = l.
Proof.
  intros. induction l; simpl; [reflexivity |].
  f_equal. rewrite <- seq_shift, map_map. exact IHl.
Qed.

Lemma lowest_right : forall num den, 0 <= num -> 0 < den ->
  0 <= fst (lowest num den) /\ 0 < snd (lowest num den)
  /\ (inject_Z (fst (lowest num den)) / inject_Z (snd (lowest num den))
      == inject_Z num / inject_Z den)%Q.
Proof.
  intros num den nonnegative positive. unfold lowest. cbn [fst snd].
  assert (g_positive : 0 < Z.gcd num den).
  { pose proof (Z.gcd_nonneg num den). assert (Z.gcd num den <> 0); [| lia].
    intro zero. apply Z.gcd_eq_0_r in zero. lia. }
  destruct (Z.gcd_divide_l num den) as [a first]. destruct (Z.gcd_divide_r num den) as [b second].
  set (g := Z.gcd num den) in *.
  assert (a_is : num / g = a) by (rewrite first; apply Z.div_mul; lia).
  assert (b_is : den / g = b) by (rewrite second; apply Z.div_mul; lia).
  rewrite a_is, b_is. assert (0 <= a) by nia. assert (0 < b) by nia.
  repeat split; try assumption.
  assert (same : (inject_Z num / inject_Z den == inject_Z (a * g) / inject_Z (b * g))%Q).
  { rewrite <- first, <- second. reflexivity. }
  rewrite same, !inject_Z_mult. field.
  split; apply inject_nonzero; assumption.
Qed.

Section Distances.

Variable t : table.
Variable u : Q.
Hypothesis u_positive : (0 < u)%Q.
Hypothesis some_records : (0 < records t)%nat.

Let f := finest t.
Let D := distances_of t u.

Lemma finest_positive : 0 < f.
Proof.
  apply lcm_positive. intros x member. apply in_map_iff in member. destruct member as [q [<- _]].
  lia.
Qed.

Lemma finer : forall i a, (Zpos (Qden (value_of t i a)) | f).
Proof.
  intros. unfold value_of.
  destruct (nth_in_or_default a (nth i (rows t) []) 0%Q) as [member | default].
  - destruct (nth_in_or_default i (rows t) []) as [row | none].
    + apply lcm_multiple, in_map_iff. exists (nth a (nth i (rows t) []) 0%Q). split; [reflexivity |].
      apply in_concat. eauto.
    + rewrite none in member. contradiction.
  - rewrite default. exists f. simpl. ring.
Qed.

Lemma point_value : forall x, (Zpos (Qden x) | f) -> (inject_Z (point f x) == x * inject_Z f)%Q.
Proof.
  intros x divides. unfold point. rewrite (fraction x) at 3. rewrite inject_Z_mult.
  pose proof (quotient (Zpos (Qden x)) f ltac:(lia) divides) as product.
  assert (whole_f : (inject_Z f == inject_Z (Zpos (Qden x)) * inject_Z (f / Zpos (Qden x)))%Q).
  { rewrite <- inject_Z_mult, product. reflexivity. }
  rewrite whole_f. field. apply inject_nonzero. lia.
Qed.

Lemma point_at : forall i a, points D i a = point f (value_of t i a).
Proof.
  intros. unfold D, distances_of, points. fold f. unfold indexed at 1. rewrite map_nth.
  unfold indexed. change (@nil Z) with (map (point f) []). rewrite map_nth.
  change 0 with (point f 0%Q) at 1. rewrite map_nth. reflexivity.
Qed.

Lemma column_points : forall a,
  map (fun p => nth a p 0) (map (map (point f)) (rows t)) = map (point f) (column t a).
Proof.
  intros. unfold column, records, value_of. rewrite !map_map.
  rewrite <- (all_of_them _ [] (rows t)) at 1. rewrite map_map.
  apply map_ext. intros. change 0 with (point f 0%Q) at 1. apply map_nth.
Qed.

Lemma column_finer : forall a x, In x (column t a) -> (Zpos (Qden x) | f).
Proof.
  intros a x member. apply in_map_iff in member. destruct member as [i [<- _]]. apply finer.
Qed.

Lemma column_some : forall a, column t a <> [].
Proof.
  intros a none. assert (length (column t a) = 0%nat) by (rewrite none; reflexivity).
  unfold column in H. rewrite map_length, seq_length in H. lia.
Qed.

Lemma spread_value : forall l, l <> [] -> (forall x, In x l -> (Zpos (Qden x) | f)) ->
  (inject_Z (spread (map (point f) l)) == count l * squares l * (inject_Z f * inject_Z f))%Q.
Proof.
  intros l some divides. rewrite squares_expanded by assumption.
  unfold spread. rewrite map_length, map_map.
  assert (first : (inject_Z (sum (map (point f) l)) == inject_Z f * total l)%Q).
  { rewrite <- total_whole. rewrite <- (map_id l) at 2. rewrite <- total_scaled.
    apply total_eq. intros x member. rewrite point_value by auto. ring. }
  assert (second : (inject_Z (sum (map (fun x => (point f x * point f x)%Z) l))
                    == inject_Z f * inject_Z f * total (map (fun x => x * x)%Q l))%Q).
  { rewrite <- total_whole, <- total_scaled. apply total_eq. intros x member.
    rewrite inject_Z_mult, point_value by auto. ring. }
  unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult, first, second.
  fold (count l). pose proof (count_positive _ l some) as positive.
  field. intro zero. rewrite zero in positive. exact (Qlt_irrefl 0 positive).
Qed.

Lemma factor_right : forall h a, let l := column t a in
  let x := factor h u f (map (point f) l) in
  0 <= fst x /\ 0 < snd x
  /\ (inject_Z (fst x) / inject_Z (snd x) == u * weight h l / (inject_Z f * inject_Z f))%Q.
Proof.
  intros h a l.
  pose proof finest_positive as f_positive.
  pose proof (spread_value l (column_some a) (column_finer a)) as value.
  pose proof (count_positive _ l (column_some a)) as n_positive.
  pose proof (squares_nonnegative l) as not_negative.
  assert (u_num : 0 < Qnum u). { unfold Qlt in u_positive. simpl in u_positive. lia. }
  assert (f_nonzero := inject_nonzero f f_positive).
  assert (ff : (0 < inject_Z f * inject_Z f)%Q).
  { rewrite <- inject_Z_mult. apply inject_positive. nia. }
  assert (n_nonzero : ~ (count l == 0)%Q).
  { intro zero. rewrite zero in n_positive. exact (Qlt_irrefl 0 n_positive). }
  assert (u_den : ~ (inject_Z (Zpos (Qden u)) == 0)%Q) by (apply inject_nonzero; lia).
  assert (whole_n : Z.of_nat (length (map (point f) l)) = Z.of_nat (length l))
    by (rewrite map_length; reflexivity).
  assert (whole_count : (inject_Z (Z.of_nat (length l)) == count l)%Q) by reflexivity.
  assert (one : 1 <= Z.of_nat (length l)).
  { pose proof (column_some a). fold l in H. destruct l; [contradiction | simpl length; lia]. }
  assert (spread_nonnegative : 0 <= spread (map (point f) l)).
  { assert (0 <= inject_Z (spread (map (point f) l)))%Q.
    { rewrite value. apply Qmult_le_0_compat; [| lra]. apply Qmult_le_0_compat; lra. }
    change 0%Q with (inject_Z 0) in H. rewrite <- Zle_Qle in H. assumption. }
  assert (zero_both : spread (map (point f) l) = 0 <-> (squares l == 0)%Q).
  { split; intro zero.
    - rewrite zero in value. change (inject_Z 0) with 0%Q in value.
      destruct (Qmult_integral _ _ (Qeq_sym _ _ value)) as [left | right]; [| lra].
      destruct (Qmult_integral _ _ left) as [left' | right']; [contradiction | assumption].
    - assert (inject_Z (spread (map (point f) l)) == 0)%Q by (rewrite value, zero; ring).
      change 0%Q with (inject_Z 0) in H. rewrite inject_Z_injective in H. assumption. }
  unfold factor. rewrite whole_n. destruct h; unfold weight.
  - pose proof (lowest_right (Qnum u) (Zpos (Qden u) * (f * f)) ltac:(lia) ltac:(nia))
      as [first [second third]].
    repeat split; try assumption. rewrite third, !inject_Z_mult.
    rewrite (fraction u) at 3. field. split; assumption.
  - destruct (spread (map (point f) l) =? 0) eqn:constant.
    + assert (zero : (squares l == 0)%Q) by (apply zero_both; lia).
      apply Qeq_bool_iff in zero. rewrite zero. cbv iota. cbn [fst snd]. repeat split; try lia.
      change (inject_Z 0) with 0%Q. change (inject_Z 1) with 1%Q. field. assumption.
    + assert (nonzero : ~ (squares l == 0)%Q) by (intro zero; apply zero_both in zero; lia).
      destruct (Qeq_bool (squares l) 0) eqn:no; [apply Qeq_bool_iff in no; contradiction |].
      pose proof (lowest_right (Qnum u * (Z.of_nat (length l) * Z.of_nat (length l)))
        (Zpos (Qden u) * spread (map (point f) l)) ltac:(nia) ltac:(nia)) as [first [second third]].
      repeat split; try assumption. rewrite third, !inject_Z_mult, value, whole_count.
      rewrite (fraction u) at 3. field. repeat split; assumption.
  - destruct (spread (map (point f) l) =? 0) eqn:constant.
    + assert (zero : (squares l == 0)%Q) by (apply zero_both; lia).
      apply Qeq_bool_iff in zero. rewrite zero. cbv iota. cbn [fst snd]. repeat split; try lia.
      change (inject_Z 0) with 0%Q. change (inject_Z 1) with 1%Q. field. assumption.
    + assert (nonzero : ~ (squares l == 0)%Q) by (intro zero; apply zero_both in zero; lia).
      destruct (Qeq_bool (squares l) 0) eqn:no; [apply Qeq_bool_iff in no; contradiction |].
      pose proof (lowest_right (Qnum u * (Z.of_nat (length l) * (Z.of_nat (length l) - 1)))
        (Zpos (Qden u) * spread (map (point f) l)) ltac:(nia) ltac:(nia)) as [first [second third]].
      repeat split; try assumption. unfold Z.sub in third |- *.
      rewrite third, !inject_Z_mult, inject_Z_plus, value, whole_count.
      change (inject_Z (- (1))) with (- (1))%Q. rewrite (fraction u) at 3. field. repeat split; assumption.
Qed.

Definition factor_of (a : nat) : Z * Z := factor (how t) u f (map (point f) (column t a)).

Lemma common_is : common D = lcm_of (map snd (map factor_of (attributes t))).
Proof.
  unfold D, distances_of, common. fold f. do 2 f_equal. apply map_ext. intros.
  unfold factor_of. rewrite <- column_points. reflexivity.
Qed.

Lemma wholes_are : wholes D
  = map (fun a => fst (factor_of a) * (common D / snd (factor_of a))) (attributes t).
Proof.
  assert (same : map (fun a => factor (how t) u f
                     (map (fun p => nth a p 0) (map (map (point f)) (rows t)))) (attributes t)
                 = map factor_of (attributes t)).
  { apply map_ext. intros. unfold factor_of. rewrite <- column_points. reflexivity. }
  rewrite common_is. unfold D, distances_of, wholes. fold f. rewrite same, map_map. reflexivity.
Qed.

Lemma common_positive : 0 < common D.
Proof.
  rewrite common_is. apply lcm_positive. intros x member.
  rewrite map_map in member. apply in_map_iff in member. destruct member as [a [<- _]].
  apply (factor_right (how t) a).
Qed.

Lemma whole_at : forall a, In a (attributes t) ->
  0 <= nth a (wholes D) 0
  /\ (inject_Z (nth a (wholes D) 0%Z)
      == u * weight (how t) (column t a) / (inject_Z f * inject_Z f) * inject_Z (common D))%Q.
Proof.
  intros a member.
  pose proof (factor_right (how t) a) as [first [second third]]. fold (factor_of a) in *.
  assert (divides : (snd (factor_of a) | common D)).
  { rewrite common_is. apply lcm_multiple. rewrite map_map. apply in_map_iff. eauto. }
  pose proof (quotient _ _ second divides) as product.
  pose proof common_positive as c_positive.
  assert (small : (a < width t)%nat) by (apply in_seq in member; lia).
  assert (is : nth a (wholes D) 0 = fst (factor_of a) * (common D / snd (factor_of a))).
  { rewrite wholes_are. unfold attributes.
    rewrite (nth_indep _ 0 (fst (factor_of 0%nat) * (common D / snd (factor_of 0%nat))))
      by (rewrite map_length, seq_length; assumption).
    rewrite (map_nth (fun a => fst (factor_of a) * (common D / snd (factor_of a)))).
    rewrite seq_nth by assumption. reflexivity. }
  rewrite is. split.
  - apply Z.mul_nonneg_nonneg; [assumption | apply Z.div_pos; lia].
  - rewrite <- third, inject_Z_mult.
    assert (whole_c : (inject_Z (common D)
       == inject_Z (snd (factor_of a)) * inject_Z (common D / snd (factor_of a)))%Q).
    { rewrite <- inject_Z_mult, product. reflexivity. }
    rewrite whole_c. field. apply inject_nonzero. assumption.
Qed.

Let e := exact (width t) D.

Theorem exact_value : forall i j,
  (inject_Z (e i j) == u * distance t i j * inject_Z (common D))%Q.
Proof.
  intros. unfold e, exact, distance.
  rewrite <- total_whole, (Qmult_comm _ (inject_Z (common D))), Qmult_assoc, <- total_scaled.
  apply total_eq. intros a member. rewrite !point_at.
  pose proof (whole_at a member) as [_ whole_a].
  unfold Z.sub. rewrite !inject_Z_mult, inject_Z_plus, inject_Z_opp, whole_a.
  rewrite !point_value by apply finer. field. apply inject_nonzero, finest_positive.
Qed.

Lemma exact_nonnegative : forall i j, 0 <= e i j.
Proof.
  intros. apply sum_nonnegative. intros a member.
  pose proof (proj1 (whole_at a member)). apply Z.mul_nonneg_nonneg; [assumption | apply Z.square_nonneg].
Qed.

Lemma gcd_divides : forall l a, (gcd_of l | nth a l 0).
Proof.
  induction l as [| x l IH]; intros [| a]; cbn; try apply Z.divide_0_r.
  - apply Z.gcd_divide_l.
  - eapply Z.divide_trans; [apply Z.gcd_divide_r | apply IH].
Qed.

Lemma exact_multiple : forall m d i j, (gcd_of (wholes d) | exact m d i j).
Proof. intros. apply sum_multiple. intros. apply Z.divide_mul_l, gcd_divides. Qed.

Lemma exact_symmetric : forall i j, e i j = e j i.
Proof. intros. apply sum_ext. intros. f_equal. ring. Qed.

Lemma exact_itself : forall i, e i i = 0.
Proof.
  intros. unfold e, exact. rewrite (sum_ext _ _ (fun _ => 0)); [| intros; cbn zeta; ring].
  rewrite sum_constant. reflexivity.
Qed.

End Distances.

(* Costs: Lemma 3 *)

Lemma over_pairs_cons : forall d i G,
  over_pairs d (i :: G) = sum (map (d i) G) + over_pairs d G.
Proof. intros. unfold over_pairs. cbn [pairs]. rewrite map_app, sum_app, map_map. reflexivity. Qed.

Lemma over_pairs_permutation : forall d, (forall i j, d i j = d j i) ->
  forall G H, Permutation G H -> over_pairs d G = over_pairs d H.
Proof.
  intros d symmetric G H same. induction same.
  - reflexivity.
  - rewrite !over_pairs_cons, IHsame, (sum_map_permutation _ _ _ _ same). reflexivity.
  - rewrite !over_pairs_cons. cbn [map sum fold_right]. rewrite (symmetric y0 x).
    unfold sum. lia.
  - congruence.
Qed.

Lemma over_pairs_nonnegative : forall d, (forall i j, 0 <= d i j) -> forall G, 0 <= over_pairs d G.
Proof. intros. apply sum_nonnegative. auto. Qed.

(* What a group pays *)

Definition weight_in (c : cut) (i : nat) : Z :=
  sum (map snd (filter (fun x => (fst x =? i)%nat) (members c))).

Definition pays (n : nat) (at_ : nat -> cut) (d : duals) (G : group) : Z :=
  sum (map (fun i => unit d * nth i (prices d) 0) G) + unit d * (fewest d + most d)
  + sum (map (fun x => fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x))) (local at_ d)).

Lemma at_place_app : forall p a b, at_place p (a ++ b) = at_place p a + at_place p b.
Proof. intros. unfold at_place. rewrite filter_app, map_app, sum_app. reflexivity. Qed.

Lemma add_at : forall x l p,
  at_place p (add x l) = (if (fst x =? p)%nat then snd x else 0) + at_place p l.
Proof.
  unfold at_place. induction l as [| [q w] rest]; intros; cbn [add filter map sum fold_right fst].
  - destruct (fst x =? p)%nat; cbn; lia.
  - destruct (fst x =? q)%nat eqn:same; cbn [filter fst].
    + apply Nat.eqb_eq in same. subst q. destruct (fst x =? p)%nat; cbn; [| lia].
      change (fold_right Z.add 0) with sum. lia.
    + destruct (q =? p)%nat; cbn; change (fold_right Z.add 0) with sum; rewrite ?IHrest; lia.
Qed.

Lemma add_places : forall x l, NoDup (map fst l) ->
  NoDup (map fst (add x l)) /\ (forall p, In p (map fst (add x l)) -> p = fst x \/ In p (map fst l)).
Proof.
  induction l as [| [q w] rest]; intros once; cbn [add map fst].
  - split; [repeat constructor; auto | intros p [<- | []]; auto].
  - cbn [map fst] in once. inversion once as [| ? ? out once']. subst.
    destruct (fst x =? q)%nat eqn:same.
    + split; [assumption | cbn; intuition].
    + destruct (IHrest once') as [still from]. split.
      * cbn. constructor; [| assumption]. intro member. destruct (from q member); [| contradiction].
        apply Nat.eqb_neq in same. congruence.
      * cbn. intros p [<- | member]; [auto |]. destruct (from p member); auto.
Qed.

Lemma gathered : forall l,
  let shares := fold_right add [] l in
  NoDup (map fst shares)
  /\ (forall p, In p (map fst shares) -> In p (map fst l))
  /\ (forall p, at_place p shares = at_place p l).
Proof.
  induction l as [| x l]; intros shares.
  - repeat split; [constructor | auto].
  - destruct IHl as [once [from same]]. unfold shares. cbn [fold_right].
    destruct (add_places x _ once) as [once' from']. repeat split.
    + assumption.
    + intros p member. cbn. destruct (from' p member) as [-> | old]; [auto | right; auto].
    + intros p. rewrite add_at, same. unfold at_place. cbn [filter].
      destruct (fst x =? p)%nat; cbn; reflexivity.
Qed.

Lemma alone_at_place : forall l p w, NoDup (map fst l) -> In (p, w) l -> at_place p l = w.
Proof.
  unfold at_place. induction l as [| [q v] rest]; intros p w once member; [contradiction |].
  cbn [map fst] in once. inversion once as [| ? ? out once']. subst.
  cbn [filter fst]. destruct member as [same | member].
  - injection same as -> ->. rewrite Nat.eqb_refl. cbn.
    assert (none : filter (fun x => (fst x =? p)%nat) rest = []).
    { clear - out. induction rest as [| [q u] rest]; [reflexivity |]. cbn in *.
      destruct (q =? p)%nat eqn:same; [apply Nat.eqb_eq in same; subst; exfalso; auto |].
      apply IHrest. auto. }
    rewrite none. cbn. lia.
  - destruct (q =? p)%nat eqn:same.
    + apply Nat.eqb_eq in same. subst. exfalso. apply out. apply in_map_iff.
      exists (p, w). auto.
    + apply IHrest; assumption.
Qed.

Lemma remainder : forall (A : Type) (l m : list A), NoDup l -> incl l m ->
  exists rest, Permutation m (l ++ rest).
Proof.
  induction l as [| x l]; intros m once inside; [exists m; reflexivity |].
  inversion once as [| ? ? out once']. subst.
  destruct (in_split x m (inside x (or_introl eq_refl))) as [a [b ->]].
  destruct (IHl (a ++ b) once') as [rest same].
  - intros z member. assert (In z (a ++ x :: b)) by (apply inside; right; assumption).
    apply in_app_or in H. apply in_or_app. destruct H as [left | [-> | right]]; auto. contradiction.
  - exists rest. cbn. rewrite <- same. symmetry. apply Permutation_middle.
Qed.

Lemma flat_at : forall i l first place,
  at_place place (map snd (filter (fun x => (fst x =? i)%nat) (flat first l)))
  = (if (first <=? place)%nat then
       match nth_error l (place - first) with Some x => weight_in (snd x) i | None => 0 end
     else 0).
Proof.
  induction l as [| [s c] rest]; intros first place; cbn [flat].
  - cbn. destruct (first <=? place)%nat; [| reflexivity].
    destruct (place - first)%nat; reflexivity.
  - rewrite filter_app, map_app, at_place_app, IHrest.
    assert (own : at_place place (map snd (filter (fun x => (fst x =? i)%nat)
        (map (fun x => (fst x, (first, snd x))) (members c))))
        = if (first =? place)%nat then weight_in c i else 0).
    { unfold at_place, weight_in.
      induction (members c) as [| [r w] more IHmore]; cbn [map filter fst snd].
      - destruct (first =? place)%nat; reflexivity.
      - destruct (r =? i)%nat; cbn [map filter fst snd]; [| exact IHmore].
        destruct (first =? place)%nat; cbn [map filter fst snd]; [| exact IHmore].
        unfold sum in *. cbn [fold_right]. rewrite IHmore. reflexivity. }
    rewrite own. destruct (first =? place)%nat eqn:same.
    + apply Nat.eqb_eq in same. subst. rewrite Nat.leb_refl, Nat.sub_diag.
      replace (S place <=? place)%nat with false by (symmetry; apply Nat.leb_gt; lia).
      cbn [nth_error snd]. lia.
    + apply Nat.eqb_neq in same. destruct (first <=? place)%nat eqn:below.
      * apply Nat.leb_le in below.
        replace (S first <=? place)%nat with true by (symmetry; apply Nat.leb_le; lia).
        replace (place - first)%nat with (S (place - S first)) by lia. cbn [nth_error]. lia.
      * apply Nat.leb_gt in below.
        replace (S first <=? place)%nat with false by (symmetry; apply Nat.leb_gt; lia). lia.
Qed.

Lemma flat_places : forall l first x, In x (flat first l) ->
  (first <= fst (snd x) < first + length l)%nat.
Proof.
  induction l as [| [s c] rest]; intros first x member; cbn [flat] in member; [contradiction |].
  apply in_app_or in member. destruct member as [own | later].
  - apply in_map_iff in own. destruct own as [m [<- _]]. cbn. lia.
  - specialize (IHrest (S first) x later). cbn [length]. lia.
Qed.

Lemma sum_le_zero : forall (A : Type) (f : A -> Z) l,
  (forall x, In x l -> f x <= 0) -> sum (map f l) <= 0.
Proof. intros. pose proof (sum_le A f (fun _ => 0) l H). rewrite sum_constant in H0. lia. Qed.

Definition right_duals (at_ : nat -> cut) (d : duals) : Prop :=
  forall x, In x (local at_ d) -> fst x <= 0 /\ 1 <= divisor (snd x)
    /\ forall m, In m (members (snd x)) -> 0 <= snd m.

Lemma weight_nonnegative : forall c i, (forall m, In m (members c) -> 0 <= snd m) -> 0 <= weight_in c i.
Proof.
  intros. unfold weight_in. apply sum_nonnegative. intros x member.
  apply filter_In in member. apply H. tauto.
Qed.

(* What the program computes is no less than what a group pays. *)
Theorem paid_at_least : forall n at_ d G, right_duals at_ d -> length (prices d) = n ->
  (forall i, In i G -> (i < n)%nat) -> pays n at_ d G <= paid (priced_by n at_ d) G.
Proof.
  intros n at_ d G right len inside. unfold paid, pays, priced_by. cbn [y each entries rates].
  set (l := local at_ d) in *.
  set (E := flat_map (indexed [] (map (fun i => map snd (filter (fun x => (fst x =? i)%nat)
             (flat 0 l))) (seq 0 n))) G).
  assert (first : sum (map (indexed 0 (map (Z.mul (unit d)) (prices d))) G)
                  = sum (map (fun i => unit d * nth i (prices d) 0) G)).
  { apply sum_ext. intros i member. unfold indexed.
    rewrite (nth_indep _ 0 (unit d * 0)) by (rewrite map_length; rewrite len; auto).
    apply map_nth. }
  rewrite first.
  destruct (gathered E) as [once [from same]]. set (shares := fold_right add [] E) in *.
  assert (entry : forall i, In i G ->
     indexed [] (map (fun i => map snd (filter (fun x => (fst x =? i)%nat) (flat 0 l))) (seq 0 n)) i
     = map snd (filter (fun x => (fst x =? i)%nat) (flat 0 l))).
  { intros i member. unfold indexed. specialize (inside i member).
    rewrite (nth_indep _ [] (map snd (filter (fun x => (fst x =? 0)%nat) (flat 0 l))))
      by (rewrite map_length, seq_length; assumption).
    rewrite (map_nth (fun i => map snd (filter (fun x => (fst x =? i)%nat) (flat 0 l)))).
    rewrite seq_nth by assumption. reflexivity. }
  assert (places : forall p, In p (map fst shares) -> In p (seq 0 (length l))).
  { intros p member. apply from in member. apply in_map_iff in member.
    destruct member as [[q w] [<- member]]. unfold E in member. apply in_flat_map in member.
    destruct member as [i [i_G member]]. rewrite entry in member by assumption.
    apply in_map_iff in member. destruct member as [x [x_is member]]. apply filter_In in member.
    destruct member as [member _]. apply flat_places in member. rewrite x_is in member.
    apply in_seq. cbn in *. lia. }
  assert (weights : forall p x, nth_error l p = Some x ->
     at_place p E = sum (map (weight_in (snd x)) G)).
  { intros p x at_p. unfold E. clear - entry at_p.
    assert (entry' : forall i, In i G -> at_place p
      (indexed [] (map (fun i => map snd (filter (fun x => (fst x =? i)%nat) (flat 0 l))) (seq 0 n)) i)
      = weight_in (snd x) i).
    { intros i member. rewrite entry, flat_at by assumption. cbn.
      rewrite Nat.sub_0_r, at_p. reflexivity. }
    clear entry. induction G as [| i G]; [reflexivity |].
    cbn [flat_map map sum fold_right]. rewrite at_place_app, entry' by (left; reflexivity).
    rewrite IHG; [reflexivity |]. intros. apply entry'. right. assumption. }
  assert (terms : sum (map (fun x => fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x))) l)
    = sum (map (fun p => match nth_error l p with
         Some x => fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x)) | None => 0 end)
         (seq 0 (length l)))).
  { clear. induction l as [| x l]; [reflexivity |]. cbn [length seq map sum fold_right nth_error].
    rewrite <- seq_shift, map_map. cbn [nth_error].
    change (fold_right Z.add 0) with sum. rewrite IHl. reflexivity. }
  rewrite terms.
  set (term := fun p => match nth_error l p with
         Some x => fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x)) | None => 0 end).
  destruct (remainder _ _ _ once places) as [rest split].
  rewrite (sum_map_permutation _ term _ _ split), map_app, sum_app.
  assert (no_more : sum (map term rest) <= 0).
  { apply sum_le_zero. intros p _. unfold term. destruct (nth_error l p) as [x |] eqn:at_p; [| lia].
    apply nth_error_In in at_p. destruct (right x at_p) as [sign [positive nonneg]].
    assert (0 <= sum (map (weight_in (snd x)) G) / divisor (snd x)); [| nia].
    apply Z.div_pos; [| lia]. apply sum_nonnegative. intros. apply weight_nonnegative. assumption. }
  assert (each_term : sum (map term (map fst shares))
    = sum (map (fun x => fst (indexed (0, 1) (map (fun x => (fst x, divisor (snd x))) l) (fst x))
        * (snd x / snd (indexed (0, 1) (map (fun x => (fst x, divisor (snd x))) l) (fst x)))) shares)).
  { rewrite map_map. apply sum_ext. intros [p w] member. cbn [fst snd].
    assert (in_places : In p (seq 0 (length l))).
    { apply places. apply in_map_iff. exists (p, w). auto. }
    apply in_seq in in_places. unfold term.
    destruct (nth_error l p) as [x |] eqn:at_p;
      [| apply nth_error_None in at_p; lia].
    assert (rate : indexed (0, 1) (map (fun x => (fst x, divisor (snd x))) l) p = (fst x, divisor (snd x))).
    { unfold indexed. apply nth_error_nth. rewrite nth_error_map, at_p. reflexivity. }
    rewrite rate. cbn [fst snd]. rewrite <- (weights p x at_p), <- same.
    rewrite (alone_at_place shares p w once member). reflexivity. }
  rewrite each_term. lia.
Qed.

(* Lemmas 5 to 8 *)

Section Duality.

Variable n : nat.
Variable c : certificate.
Hypothesis k_positive : (1 <= k c)%nat.

Definition size (G : group) : Z := Z.of_nat (length G).

Definition sized (P : list group) : Prop :=
  Permutation (concat P) (seq 0 n)
  /\ forall G, In G P -> (k c <= length G <= largest c)%nat.

Lemma sizes_add_up : forall P, sized P -> sum (map size P) = Z.of_nat n.
Proof.
  intros P [covers _]. rewrite <- (seq_length n 0), <- (Permutation_length covers).
  clear covers. induction P; [reflexivity |]. cbn [map concat]. unfold sum in *. cbn [fold_right].
  rewrite IHP, app_length. unfold size. lia.
Qed.

Lemma at_most_so_many : forall P, sized P ->
  Z.of_nat (length P) <= Z.of_nat n / Z.of_nat (k c).
Proof.
  intros P valid. rewrite <- (sizes_add_up P valid). destruct valid as [_ inside].
  apply Z.div_le_lower_bound; [lia |].
  rewrite <- sum_constant. apply sum_le. intros G member. specialize (inside G member).
  unfold size. lia.
Qed.

Lemma at_least_so_many : forall P, sized P ->
  - (- Z.of_nat n / Z.of_nat (largest c)) <= Z.of_nat (length P).
Proof.
  intros P valid. destruct P as [| G P].
  - pose proof (sizes_add_up [] valid) as zero. change (0 = Z.of_nat n) in zero.
    rewrite <- zero. change (- 0) with 0. rewrite Zdiv_0_l. simpl. lia.
  - assert (0 < Z.of_nat (largest c)).
    { destruct valid as [_ inside]. pose proof (inside G (or_introl eq_refl)). lia. }
    assert (- Z.of_nat (length (G :: P)) <= - Z.of_nat n / Z.of_nat (largest c)); [| lia].
    apply Z.div_le_lower_bound; [assumption |].
    rewrite <- (sizes_add_up _ valid). destruct valid as [_ inside].
    assert (sum (map size (G :: P)) <= sum (map (fun _ => Z.of_nat (largest c)) (G :: P))).
    { apply sum_le. intros x member. specialize (inside x member). unfold size. lia. }
    rewrite sum_constant in H0. lia.
Qed.

Lemma only_own : forall r w l, 0 <= w -> NoDup l ->
  sum (map (fun i => if (r =? i)%nat then w else 0) l) <= w.
Proof.
  induction l as [| i l]; intros nonneg once; unfold sum in *; cbn [map fold_right]; [assumption |].
  inversion once as [| ? ? out once']. subst. destruct (r =? i)%nat eqn:same.
  - apply Nat.eqb_eq in same. subst.
    assert (none : sum (map (fun j => if (i =? j)%nat then w else 0) l) = 0).
    { rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_constant; lia |].
      intros j member. destruct (i =? j)%nat eqn:same; [| reflexivity].
      apply Nat.eqb_eq in same. subst. contradiction. }
    unfold sum in none. lia.
  - specialize (IHl nonneg once'). lia.
Qed.

Lemma weights_of_all : forall x l, NoDup l -> (forall m, In m (members x) -> 0 <= snd m) ->
  sum (map (weight_in x) l) <= sum (map snd (members x)).
Proof.
  intros x l once. unfold weight_in.
  induction (members x) as [| [r w] rest IHrest]; intros nonneg; cbn [filter map fst snd].
  - rewrite sum_constant. cbn. lia.
  - assert (each_one : forall i, sum (map snd (if (r =? i)%nat then (r, w)
        :: filter (fun x => (fst x =? i)%nat) rest else filter (fun x => (fst x =? i)%nat) rest))
        = (if (r =? i)%nat then w else 0) + sum (map snd (filter (fun x => (fst x =? i)%nat) rest))).
    { intros i. destruct (r =? i)%nat; cbn [map snd]; unfold sum; cbn [fold_right]; lia. }
    rewrite (sum_ext _ _ _ l (fun i _ => each_one i)), sum_plus.
    assert (0 <= w) by (apply (nonneg (r, w)); left; reflexivity).
    pose proof (only_own r w l H once).
    assert (sum (map (fun i => sum (map snd (filter (fun x => (fst x =? i)%nat) rest))) l)
            <= sum (map snd rest)) by (apply IHrest; intros; apply nonneg; right; assumption).
    unfold sum in *. cbn [fold_right]. lia.
Qed.

Variable at_ : nat -> cut.

Lemma over_records : forall (f : nat -> Z) P, sized P ->
  sum (map (fun G : group => sum (map f G)) P) = sum (map f (seq 0 n)).
Proof.
  intros f P [covers _]. etransitivity; [symmetry; apply (sum_concat nat f P) |].
  apply sum_map_permutation, covers.
Qed.

Theorem weak_duality : forall d P, sized P -> right_duals at_ d ->
  length (prices d) = n -> 1 <= unit d -> 0 <= fewest d -> most d <= 0 ->
  proves n c at_ d <= sum (map (pays n at_ d) P).
Proof.
  intros d P valid right len one more less. unfold proves, pays. rewrite !sum_plus, sum_constant.
  rewrite (over_records (fun i => unit d * nth i (prices d) 0) P valid), sum_scaled.
  assert (prices_are : map (fun i => nth i (prices d) 0) (seq 0 n) = prices d)
    by (rewrite <- len; apply all_of_them).
  rewrite prices_are, sums_exchange.
  pose proof (at_least_so_many P valid). pose proof (at_most_so_many P valid).
  assert (cuts_add_up :
    sum (map (fun x => fst x * (sum (map snd (members (snd x))) / divisor (snd x))) (local at_ d))
    <= sum (map (fun x => sum (map (fun G : group =>
         fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x))) P)) (local at_ d))).
  { apply sum_le. intros x member. destruct (right x member) as [sign [positive nonneg]].
    rewrite sum_scaled.
    assert (sum (map (fun G : group => sum (map (weight_in (snd x)) G) / divisor (snd x)) P)
            <= sum (map snd (members (snd x))) / divisor (snd x)).
    { rewrite <- (map_map (fun G : group => sum (map (weight_in (snd x)) G))
                           (fun w => w / divisor (snd x))).
      eapply Z.le_trans; [apply rank_1; lia |]. apply Z.div_le_mono; [lia |].
      rewrite (over_records _ P valid).
      apply weights_of_all; [apply seq_NoDup | assumption]. }
    apply Z.mul_le_mono_nonpos_l; assumption. }
  pose proof (Z.mul_le_mono_nonneg_l _ _ (fewest d) more H).
  pose proof (Z.mul_le_mono_nonpos_l _ _ (most d) less H0).
  set (low := - (- Z.of_nat n / Z.of_nat (largest c))) in *.
  set (high := Z.of_nat n / Z.of_nat (k c)) in *.
  set (m := Z.of_nat (length P)) in *.
  assert (unit d * (fewest d * low + most d * high) <= unit d * (fewest d + most d) * m) by nia.
  lia.
Qed.

(* Lemma 8 *)

Variable cost_of_group : group -> Z.

Definition reduced (d : duals) (G : group) : Z := cost_of_group G - pays n at_ d G.

Lemma cost_and_reduced : forall d P,
  sum (map cost_of_group P) = sum (map (pays n at_ d) P) + sum (map (reduced d) P).
Proof. intros. rewrite <- sum_plus. apply sum_ext. intros. unfold reduced. lia. Qed.

Lemma dual_bound : forall d P, sized P -> right_duals at_ d ->
  length (prices d) = n -> 1 <= unit d -> 0 <= fewest d -> most d <= 0 ->
  (forall G, In G P -> 0 <= reduced d G) -> proves n c at_ d <= sum (map cost_of_group P).
Proof.
  intros d P valid right len one more less positive. rewrite (cost_and_reduced d).
  pose proof (weak_duality d P valid right len one more less).
  pose proof (sum_nonnegative _ _ _ positive). lia.
Qed.

Theorem reduced_cost_filter : forall d P G t, sized P -> right_duals at_ d ->
  length (prices d) = n -> 1 <= unit d -> 0 <= fewest d -> most d <= 0 ->
  (forall G, In G P -> 0 <= reduced d G) -> sum (map cost_of_group P) <= t -> In G P ->
  reduced d G <= t - proves n c at_ d.
Proof.
  intros d P G t valid right len one more less positive cheap member.
  pose proof (weak_duality d P valid right len one more less). pose proof (cost_and_reduced d P).
  pose proof (part_of_sum _ (reduced d) P G positive member). lia.
Qed.

End Duality.

(* Lemma 9: the search for groups *)

Lemma filter_permutation : forall (A : Type) (f : A -> bool) a b,
  Permutation a b -> Permutation (filter f a) (filter f b).
Proof.
  induction 1; cbn [filter].
  - constructor.
  - destruct (f x); [constructor |]; assumption.
  - destruct (f x), (f y0); try reflexivity. apply perm_swap.
  - etransitivity; eassumption.
Qed.

Lemma filter_all : forall (A : Type) (f : A -> bool) l, (forall x, In x l -> f x = true) ->
  filter f l = l.
Proof.
  induction l; intros all; [reflexivity |]. cbn [filter]. rewrite all by (left; reflexivity).
  f_equal. apply IHl. intros. apply all. right. assumption.
Qed.

Definition part_of {A} (s l : list A) : Prop := exists rest, Permutation l (s ++ rest).

Lemma part_cases : forall (A : Type) (e : A) rest s, part_of s (e :: rest) ->
  (exists s', Permutation s (e :: s') /\ part_of s' rest) \/ part_of s rest.
Proof.
  intros A e rest s [r same].
  assert (member : In e (s ++ r)) by (rewrite <- same; left; reflexivity).
  apply in_app_or in member. destruct member as [member | member];
    apply in_split in member; destruct member as [a [b ->]].
  - left. exists (a ++ b). split; [symmetry; apply Permutation_middle |].
    exists r. rewrite <- app_assoc in *. cbn in same.
    rewrite <- Permutation_middle in same. apply Permutation_cons_inv in same. assumption.
  - right. exists (a ++ b). apply (Permutation_cons_inv (a := e)).
    rewrite same. rewrite app_assoc, <- Permutation_middle, app_assoc. reflexivity.
Qed.

Lemma keys_permutation : forall a b, Permutation a b -> keys a = keys b.
Proof. intros. apply sum_map_permutation. assumption. Qed.

Lemma keys_cons : forall e l, keys (e :: l) = fst e + keys l.
Proof. reflexivity. Qed.

Definition ascending := StronglySorted (fun a b : Z * nat => fst a <= fst b).

(* Of an ascending list, no part of so many has lesser keys than the first. *)
Lemma first_are_least : forall l s, ascending l -> part_of s l ->
  keys (firstn (length s) l) <= keys s.
Proof.
  induction l as [| e rest]; intros s sorted part.
  - destruct part as [r nothing]. apply Permutation_nil in nothing.
    apply app_eq_nil in nothing. destruct nothing as [-> _]. cbn. lia.
  - inversion sorted as [| ? ? sorted' least]. subst.
    destruct (part_cases _ _ _ _ part) as [[s' [same part']] | part'].
    + rewrite (Permutation_length same), (keys_permutation _ _ same). cbn [length firstn].
      rewrite !keys_cons. specialize (IHrest s' sorted' part'). lia.
    + specialize (IHrest s sorted' part').
      destruct s as [| x s]; [cbn; lia |].
      change (length (x :: s)) with (S (length s)) in *.
      change (firstn (S (length s)) (e :: rest)) with (e :: firstn (length s) rest).
      rewrite keys_cons.
      assert (enough : (S (length s) <= length rest)%nat).
      { destruct part' as [r same]. rewrite (Permutation_length same), app_length. cbn. lia. }
      clear - IHrest least enough sorted'.
      assert (shift : forall m l, ascending l -> Forall (fun b => fst e <= fst b) l ->
                (S m <= length l)%nat -> fst e + keys (firstn m l) <= keys (firstn (S m) l)).
      { clear. induction m as [| m]; intros l sorted least enough.
        - destruct l as [| a l]; [cbn in enough; lia |]. inversion least. cbn. lia.
        - destruct l as [| a l]; [cbn in enough; lia |].
          cbn [firstn]. rewrite !keys_cons.
          inversion least. inversion sorted. subst.
          assert (fst e + keys (firstn m l) <= keys (firstn (S m) l))
            by (apply IHm; [assumption | assumption | cbn in enough; lia]).
          cbn [firstn] in H. lia. }
      specialize (shift (length s) rest sorted' least enough). lia.
Qed.

Lemma sort_ascending : forall l, ascending (sort l).
Proof.
  intros. pose proof (StronglySorted_sort l) as sorted.
  assert (transitive : RelationClasses.Transitive (fun a b : Z * nat => is_true (Key.leb a b))).
  { intros a b x first second. unfold Key.leb, is_true in *. lia. }
  specialize (sorted transitive). unfold ascending.
  induction sorted as [| a rest sorted IH least]; constructor; [assumption |].
  eapply Forall_impl; [| exact least]. intros b. unfold is_true, Key.leb. lia.
Qed.

Lemma filter_ascending : forall f l, ascending l -> ascending (filter f l).
Proof.
  unfold ascending. induction 1; cbn [filter]; [constructor |].
  destruct (f a); [| assumption]. constructor; [assumption |].
  apply Forall_forall. intros x member. apply filter_In in member.
  rewrite Forall_forall in H0. apply H0. tauto.
Qed.

Section Search.

Variable near : nat -> nat -> Z.
Variable s : Z.
Hypothesis near_symmetric : forall i j, near i j = near j i.

(* What each of m records that are still to come has at least in common with the others. *)
Variable n : nat.
Variable half : nat -> nat -> Z.
Hypothesis halves_fit : forall G, part_of G (seq 0 n) ->
  sum (map (half (length G)) G) <= s * over_pairs near G.

(* What some records add to the reduced cost of a part of a group. *)
Definition adds (e : list (Z * nat)) : Z := keys e + s * over_pairs near (map snd e).

Lemma adds_permutation : forall a b, Permutation a b -> adds a = adds b.
Proof.
  intros a b same. unfold adds. rewrite (keys_permutation _ _ same).
  rewrite (over_pairs_permutation near near_symmetric (map snd a) (map snd b));
    [reflexivity | apply Permutation_map; assumption].
Qed.

Definition halved (m : nat) (l : list (Z * nat)) : list (Z * nat) :=
  map (fun x => (fst x + half m (snd x), snd x)) l.

Definition bare (m : nat) (l : list (Z * nat)) : list (Z * nat) :=
  map (fun x => (fst x - half m (snd x), snd x)) l.

Lemma bare_halved : forall m l, bare m (halved m l) = l.
Proof.
  intros. unfold bare, halved. rewrite map_map. rewrite <- (map_id l) at 2. apply map_ext.
  intros [key j]. cbn [fst snd]. f_equal. lia.
Qed.

Lemma halved_records : forall m l, map snd (halved m l) = map snd l.
Proof. intros. unfold halved. rewrite map_map. reflexivity. Qed.

Lemma bare_records : forall m l, map snd (bare m l) = map snd l.
Proof. intros. unfold bare. rewrite map_map. reflexivity. Qed.

Lemma bare_keys : forall m l, keys (bare m l) = keys l - sum (map (half m) (map snd l)).
Proof.
  intros. unfold bare, keys. rewrite !map_map. cbn [fst].
  induction l; cbn [map sum fold_right] in *; [reflexivity |]. unfold sum in *. lia.
Qed.

Lemma keys_no_more : forall m e, length e = m -> part_of (map snd e) (seq 0 n) ->
  keys e <= adds (bare m e).
Proof.
  intros m e len inside. unfold adds. rewrite bare_records, bare_keys.
  pose proof (halves_fit (map snd e) inside) as fit. rewrite map_length, len in fit. lia.
Qed.

Definition joined_by (m j : nat) (l : list (Z * nat)) : list (Z * nat) :=
  map (fun x => (fst x - half m (snd x) + s * near j (snd x), snd x)) l.

Lemma joined_records : forall m j l, map snd (joined_by m j l) = map snd l.
Proof. intros. unfold joined_by. rewrite map_map. reflexivity. Qed.

Lemma joined_adds : forall m key j l,
  adds (joined_by m j l) = adds (bare m ((key, j) :: l)) - (key - half m j).
Proof.
  intros. unfold adds. rewrite joined_records, bare_records, bare_keys. cbn [map snd].
  rewrite over_pairs_cons, keys_cons.
  assert (keys (joined_by m j l)
          = keys l - sum (map (half m) (map snd l)) + s * sum (map (near j) (map snd l))).
  { rewrite <- bare_keys. unfold joined_by, bare, keys. rewrite !map_map. cbn [fst].
    rewrite sum_plus, sum_scaled. reflexivity. }
  unfold sum in *. cbn [fold_right fst]. lia.
Qed.

Lemma mapped_part : forall (A B : Type) (f : A -> B) a l, part_of a l -> part_of (map f a) (map f l).
Proof.
  intros A B f a l [rest same]. exists (map f rest). rewrite <- map_app.
  apply Permutation_map. assumption.
Qed.

Lemma part_permuted : forall (A : Type) (a b l : list A), Permutation a b -> part_of a l -> part_of b l.
Proof. intros A a b l same [rest all]. exists rest. rewrite all, same. reflexivity. Qed.

Lemma part_without : forall (A : Type) (x : A) a l, part_of (x :: a) l -> part_of a l.
Proof. intros A x a l [rest all]. exists (x :: rest). rewrite all. cbn. apply Permutation_middle. Qed.

Lemma walk_finds : forall descend m slack part,
  (forall key j rest e, length e = m -> part_of e (joined_by (S m) j rest) ->
     part_of (map snd e) (seq 0 n) -> adds e <= slack - (key - half (S m) j) ->
     exists H, In H (descend key j rest) /\ Permutation H (map snd e ++ j :: part)) ->
  forall l e, ascending l -> length e = S m -> part_of e l -> part_of (map snd e) (seq 0 n) ->
  adds (bare (S m) e) <= slack ->
  exists H, In H (walk descend (S m) slack l) /\ Permutation H (map snd e ++ part).
Proof.
  intros descend m slack part finds.
  induction l as [| [key j] rest]; intros e sorted len inside known small.
  - destruct inside as [r nothing]. apply Permutation_nil in nothing.
    apply app_eq_nil in nothing. destruct nothing as [-> _]. discriminate.
  - cbn [walk]. pose proof (first_are_least _ _ sorted inside) as least. rewrite len in least.
    pose proof (keys_no_more (S m) e len known).
    assert (full : (length (firstn (S m) ((key, j) :: rest)) <? S m)%nat = false).
    { apply Nat.ltb_ge. rewrite firstn_length. destruct inside as [r perm].
      apply Permutation_length in perm. rewrite app_length in perm. lia. }
    cbv zeta. rewrite full. cbn [orb].
    destruct (slack <? keys (firstn (S m) ((key, j) :: rest))) eqn:over; [lia |].
    inversion sorted as [| ? ? sorted' _]. subst.
    destruct (part_cases _ _ _ _ inside) as [[e' [same inside']] | inside'].
    + pose proof (Permutation_length same) as len'. rewrite len in len'. cbn in len'.
      destruct (finds key j rest (joined_by (S m) j e')) as [H0 [member perm]].
      * unfold joined_by. rewrite map_length. lia.
      * apply mapped_part. assumption.
      * rewrite joined_records. apply (part_without _ j).
        apply (part_permuted _ _ _ _ (Permutation_map snd same) known).
      * assert (same_bare : Permutation (bare (S m) e) (bare (S m) ((key, j) :: e')))
          by (apply Permutation_map; assumption).
        rewrite (adds_permutation _ _ same_bare) in small. rewrite joined_adds with (key := key). lia.
      * exists H0. split; [apply in_or_app; left; assumption |].
        rewrite perm, joined_records, (Permutation_map snd same). cbn.
        symmetry. apply Permutation_middle.
    + destruct (IHrest e sorted' len inside' known small) as [H0 [member perm]].
      exists H0. split; [apply in_or_app; right; assumption | assumption].
Qed.

Theorem complete_finds : forall missing part l slack e,
  length e = missing -> part_of e l -> part_of (map snd e) (seq 0 n) -> adds e <= slack ->
  exists H, In H (complete near half s missing part l slack) /\ Permutation H (map snd e ++ part).
Proof.
  induction missing as [| m IH]; intros part l slack e len inside known small.
  - apply length_zero_iff_nil in len. subst. exists part. split; [left; reflexivity | reflexivity].
  - cbn [complete]. destruct m as [| m].
    + destruct e as [| x [| ? ?]]; try discriminate.
      exists (snd x :: part). split; [| reflexivity].
      apply in_map_iff. exists x. split; [reflexivity |]. apply filter_In. split.
      * destruct inside as [rest same]. rewrite same. left. reflexivity.
      * unfold adds, keys in small. cbn in small. lia.
    + change (map (fun x => (fst x + half (S (S m)) (snd x), snd x)) l) with (halved (S (S m)) l).
      set (keyed := halved (S (S m)) l). set (e' := halved (S (S m)) e).
      set (most := slack - keys (firstn (S m) (sort keyed))).
      assert (len' : length e' = S (S m)) by (unfold e', halved; rewrite map_length; exact len).
      assert (records : map snd e' = map snd e) by apply halved_records.
      assert (bare_e : bare (S (S m)) e' = e) by apply bare_halved.
      assert (known' : part_of (map snd e') (seq 0 n)) by (rewrite records; assumption).
      pose proof (keys_no_more (S (S m)) e' len' known') as no_more. rewrite bare_e in no_more.
      rewrite <- records.
      apply walk_finds with (m := S m).
      * intros key j rest a len_a inside_a known_a small_a.
        apply (IH (j :: part) (joined_by (S (S m)) j rest) _ a len_a inside_a known_a small_a).
      * apply filter_ascending, sort_ascending.
      * assumption.
      * assert (sorted_part : part_of e' (sort keyed)).
        { assert (part_of e' keyed) as [rest same] by (apply mapped_part; assumption).
          exists rest. rewrite <- same. symmetry. apply Permuted_sort. }
        assert (all_near : forall x, In x e' -> (fst x <=? most) = true).
        { intros x member. apply in_split in member. destruct member as [a [b is]].
          assert (same : Permutation e' (x :: a ++ b)) by (rewrite is; symmetry; apply Permutation_middle).
          assert (others : part_of (a ++ b) (sort keyed))
            by (apply (part_without _ x), (part_permuted _ _ _ _ same sorted_part)).
          pose proof (first_are_least _ _ (sort_ascending keyed) others) as least.
          pose proof (Permutation_length same) as lens. rewrite len' in lens. cbn in lens.
          replace (length (a ++ b)) with (S m) in least by lia.
          rewrite (keys_permutation _ _ same), keys_cons in no_more.
          unfold most. lia. }
        destruct sorted_part as [rest perm].
        exists (filter (fun x => fst x <=? most) rest).
        rewrite (filter_permutation _ _ _ _ perm), filter_app, (filter_all _ _ e' all_near).
        reflexivity.
      * assumption.
      * rewrite bare_e. assumption.
Qed.

End Search.

(* The sums of least distances: in a group, those of a record to all members, with its own of 0, add
   up to no less, and over all members to twice the sum over pairs. *)
Section Halves.

Variable n : nat.
Variable near : nat -> nat -> Z.
Hypothesis near_symmetric : forall i j, near i j = near j i.
Hypothesis near_always : forall i j, 0 <= near i j.
Hypothesis near_itself : forall i, near i i = 0.

Lemma sums_at : forall l so_far m, 0 <= so_far -> (forall x, In x l -> 0 <= x) ->
  nth m (sums so_far l) 0 <= so_far + sum (firstn m l).
Proof.
  induction l as [| x l IH]; intros so_far m low all.
  - destruct m as [| [| m]]; cbn; lia.
  - destruct m as [| m]; [cbn; lia |]. cbn [sums nth firstn].
    assert (0 <= x) by (apply all; left; reflexivity).
    assert (nth m (sums (so_far + x) l) 0 <= so_far + x + sum (firstn m l))
      by (apply IH; [lia | intros; apply all; right; assumption]).
    unfold sum in *. cbn [fold_right]. lia.
Qed.

Lemma least_sums_fit : forall G j, part_of G (seq 0 n) -> In j G ->
  least_sums n near j (length G) <= sum (map (near j) G).
Proof.
  intros G j inside member.
  assert (known : (j < n)%nat).
  { destruct inside as [rest all]. apply (in_seq n 0). rewrite all. apply in_or_app. auto. }
  set (keyed := fun i : nat => (near j i, i)).
  unfold least_sums, indexed.
  rewrite (nth_indep _ (fun _ => 0) ((fun j => fun i => nth i
    (sums 0 (map fst (sort (map (fun i => (near j i, i)) (seq 0 n))))) 0) 0%nat))
    by (rewrite map_length, seq_length; assumption).
  rewrite (map_nth (fun j => fun i => nth i
    (sums 0 (map fst (sort (map (fun i => (near j i, i)) (seq 0 n))))) 0)), seq_nth by assumption.
  cbn [plus]. fold keyed.
  set (row := sort (map keyed (seq 0 n))).
  assert (same : Permutation (map keyed (seq 0 n)) row) by apply Permuted_sort.
  assert (positive : forall x, In x (map fst row) -> 0 <= x).
  { intros x in_row. apply in_map_iff in in_row. destruct in_row as [y0 [<- in_row]].
    rewrite <- same in in_row. apply in_map_iff in in_row. destruct in_row as [i [<- _]].
    apply near_always. }
  pose proof (sums_at (map fst row) 0 (length G) ltac:(lia) positive) as at_.
  assert (part : part_of (map keyed G) row).
  { destruct (mapped_part _ _ keyed _ _ inside) as [rest all]. exists rest.
    rewrite <- same. assumption. }
  pose proof (first_are_least row (map keyed G) (sort_ascending _) part) as least.
  rewrite map_length in least. unfold keys in least. rewrite <- firstn_map, map_map in least.
  change (map (fun i => fst (keyed i)) G) with (map (near j) G) in least. lia.
Qed.

Lemma both_ends : forall G,
  sum (map (fun j => sum (map (near j) G)) G) = 2 * over_pairs near G.
Proof.
  induction G as [| i G IH]; [reflexivity |].
  rewrite over_pairs_cons. cbn [map]. unfold sum at 1 2. cbn [fold_right].
  change (fold_right Z.add 0) with sum.
  rewrite (sum_ext _ (fun j => near j i + sum (map (near j) G))
             (fun j => near i j + sum (map (near j) G)))
    by (intros; rewrite near_symmetric; reflexivity).
  rewrite sum_plus, IH, near_itself. lia.
Qed.

Lemma halves_add_up : forall t G, 0 <= t -> part_of G (seq 0 n) ->
  sum (map (fun j => t * least_sums n near j (length G) / 2) G) <= t * over_pairs near G.
Proof.
  intros t G low inside.
  assert (each_one : forall j, In j G ->
    2 * (t * least_sums n near j (length G) / 2) <= t * sum (map (near j) G)).
  { intros j member. pose proof (least_sums_fit G j inside member).
    pose proof (Z.mul_div_le (t * least_sums n near j (length G)) 2 ltac:(lia)). nia. }
  pose proof (sum_le _ _ _ G each_one) as all. cbn beta in all.
  rewrite !sum_scaled, both_ends in all. lia.
Qed.

End Halves.

(* The anchor of a group is its member with the greatest price and number. *)

Lemma before_total : forall price x a, x <> a -> before price x a = false -> before price a x = true.
Proof.
  unfold before. intros price x a different.
  destruct (Z.ltb_spec (price x) (price a)), (Z.eqb_spec (price x) (price a)),
    (Nat.ltb_spec x a), (Z.ltb_spec (price a) (price x)), (Z.eqb_spec (price a) (price x)),
    (Nat.ltb_spec a x); cbn; intros; try reflexivity; try discriminate; lia.
Qed.

Lemma before_transitive : forall price x a b,
  before price x a = true -> before price a b = true -> before price x b = true.
Proof.
  unfold before. intros price x a b.
  destruct (Z.ltb_spec (price x) (price a)), (Z.eqb_spec (price x) (price a)), (Nat.ltb_spec x a),
    (Z.ltb_spec (price a) (price b)), (Z.eqb_spec (price a) (price b)), (Nat.ltb_spec a b),
    (Z.ltb_spec (price x) (price b)), (Z.eqb_spec (price x) (price b)), (Nat.ltb_spec x b);
    cbn; intros; try reflexivity; try discriminate; lia.
Qed.

Lemma anchor_exists : forall price G, G <> [] -> NoDup G ->
  exists a s, Permutation G (a :: s) /\ forall j, In j s -> before price j a = true.
Proof.
  induction G as [| x G IH]; intros some once; [contradiction |].
  inversion once as [| ? ? out once']. subst. destruct G as [| x' G'].
  - exists x, []. split; [reflexivity | contradiction].
  - destruct (IH ltac:(discriminate) once') as [a [s [same less]]].
    assert (in_G : In a (x' :: G')) by (rewrite same; left; reflexivity).
    assert (x <> a) by (intro; subst; contradiction).
    destruct (before price x a) eqn:first.
    + exists a, (x :: s). split.
      * rewrite same. apply perm_swap.
      * intros j [<- | member]; auto.
    + exists x, (a :: s). split; [constructor; assumption |].
      assert (above : before price a x = true) by (apply before_total; assumption).
      intros j [<- | member]; [assumption |].
      eapply before_transitive; [apply less; assumption | assumption].
Qed.

Section Listing.

Variable n : nat.
Variable c : certificate.
Variable near : nat -> nat -> Z.
Hypothesis near_symmetric : forall i j, near i j = near j i.
Hypothesis near_always : forall i j, 0 <= near i j.
Hypothesis near_itself : forall i, near i i = 0.
Hypothesis share_nonnegative : forall size, 0 <= share c size.

Theorem found_all : forall p limit wanted G, NoDup G -> (forall i, In i G -> (i < n)%nat) ->
  (1 <= k c)%nat -> (k c <= length G <= largest c)%nat ->
  cost c near G - sum (map (y p) G) - each p <= limit ->
  (forall H, Permutation G H -> wanted H = true) ->
  exists H, In H (found n c near (least_sums n near) p limit wanted) /\ Permutation G H.
Proof.
  intros p limit wanted G once inside k_positive sized_G cheap wanted_G.
  assert (some : G <> []) by (intro; subst; cbn in sized_G; lia).
  destruct (anchor_exists (y p) G some once) as [a [s [same less]]].
  assert (a_in : (a < n)%nat) by (apply inside; rewrite same; left; reflexivity).
  pose proof (Permutation_NoDup same once) as once'. inversion once' as [| ? ? out once_s]. subst.
  set (size := length G).
  set (t := share c size).
  set (cheaper := filter (fun j => before (y p) j a) (seq 0 n)).
  assert (s_in : incl s cheaper).
  { intros j member. apply filter_In. split; [| auto]. apply in_seq.
    assert (j < n)%nat by (apply inside; rewrite same; right; assumption). lia. }
  destruct (remainder _ s cheaper once_s s_in) as [rest split].
  set (keyed := fun j : nat => (t * near a j - y p j, j)).
  assert (records : map snd (map keyed s) = s) by (rewrite map_map; apply map_id).
  assert (adds_s : adds near t (map keyed s) = cost c near G - sum (map (y p) s)).
  { unfold adds. rewrite records. unfold keys. rewrite map_map. cbn [keyed fst].
    unfold cost. fold size. fold t.
    rewrite (over_pairs_permutation near near_symmetric _ _ same), over_pairs_cons.
    rewrite (sum_ext _ (fun x => t * near a x - y p x)
       (fun x => t * near a x + - y p x)) by (intros; lia).
    rewrite sum_plus, sum_scaled.
    assert (sum (map (fun x => - y p x) s) = - sum (map (y p) s)).
    { clear. induction s; [reflexivity |]. unfold sum in *. cbn [map fold_right]. lia. }
    lia. }
  assert (y_G : sum (map (y p) G) = y p a + sum (map (y p) s)).
  { rewrite (sum_map_permutation _ _ _ _ same). reflexivity. }
  pose proof (Permutation_length same) as lens. cbn in lens. fold size in lens.
  assert (halves_fit : forall F, part_of F (seq 0 n) ->
    sum (map (fun j => t * least_sums n near j (length F) / 2) F) <= t * over_pairs near F).
  { intros F. apply halves_add_up; try assumption. apply share_nonnegative. }
  destruct (complete_finds near t near_symmetric n
              (fun m j => t * least_sums n near j m / 2) halves_fit (pred size) [a] (map keyed cheaper) (limit + y p a + each p) (map keyed s))
    as [H [member perm]].
  - rewrite map_length. lia.
  - exists (map keyed rest). rewrite <- map_app. apply Permutation_map. assumption.
  - rewrite records. destruct (remainder _ s (seq 0 n) once_s) as [others all].
    + intros j member. apply in_seq. assert (j < n)%nat; [| lia].
      apply inside. rewrite same. right. assumption.
    + exists others. assumption.
  - lia.
  - assert (as_G : Permutation G H) by (rewrite perm, records, same; apply Permutation_cons_append).
    exists H. split; [| exact as_G].
    unfold found. apply in_flat_map. exists a. split; [apply in_seq; lia |].
    apply in_flat_map. exists size. split.
    + unfold sizes. apply in_seq. fold size in sized_G. lia.
    + apply filter_In. split; [exact member | exact (wanted_G H as_G)].
Qed.

End Listing.

(* Lemma 10: what duals prove of the groups of a node *)

Lemma forallb_same : forall (A : Type) (f g : A -> bool) l, (forall x, f x = g x) ->
  forallb f l = forallb g l.
Proof. intros A f g l same. induction l; cbn; [reflexivity | rewrite same, IHl; reflexivity]. Qed.

Lemma keeps_permutation : forall j a G H, Permutation G H -> keeps j a G = keeps j a H.
Proof.
  intros j a G H same.
  assert (has_same : forall x, has x G = has x H).
  { intros x. unfold has. destruct (existsb (Nat.eqb x) H) eqn:in_H.
    - apply existsb_exists in in_H. destruct in_H as [z [member equal]].
      apply existsb_exists. exists z. split; [rewrite same |]; assumption.
    - apply not_true_iff_false. intro in_G. apply existsb_exists in in_G.
      destruct in_G as [z [member equal]]. apply not_true_iff_false in in_H. apply in_H.
      apply existsb_exists. exists z. split; [rewrite <- same |]; assumption. }
  unfold keeps. f_equal; apply forallb_same; intros; rewrite !has_same; reflexivity.
Qed.

Lemma NoDup_right : forall (A : Type) (a b : list A), NoDup (a ++ b) -> NoDup b.
Proof. induction a; intros b once; [assumption |]. inversion once. apply IHa. assumption. Qed.

Lemma NoDup_left : forall (A : Type) (a b : list A), NoDup (a ++ b) -> NoDup a.
Proof.
  induction a; intros b once; [constructor |]. inversion once as [| ? ? out rest]. subst.
  constructor; [| apply (IHa b); assumption].
  intro member. apply out, in_or_app. left. assumption.
Qed.

Section Nodes.

Variable n : nat.
Variable c : certificate.
Variable near : nat -> nat -> Z.
Variable e : nat -> nat -> Z.
Variable enough grain : Z.
Hypothesis k_positive : (1 <= k c)%nat.
Hypothesis parts_positive : 1 <= parts c.
Hypothesis cuts_valid : forallb (valid_cut n) (cuts c) = true.
Hypothesis near_symmetric : forall i j, near i j = near j i.
Hypothesis near_always : forall i j, 0 <= near i j.
Hypothesis near_itself : forall i, near i i = 0.
Hypothesis e_symmetric : forall i j, e i j = e j i.

Let at_ := cut_at c.
Let least := least_sums n near.

Lemma whole_positive : 0 < whole c.
Proof.
  apply lcm_positive. intros x member. apply in_map_iff in member. destruct member as [s [<- member]].
  unfold sizes in member. apply in_seq in member. lia.
Qed.

Lemma share_nonnegative : forall s, 0 <= share c s.
Proof.
  intros. unfold share. apply Z.mul_nonneg_nonneg; [lia |].
  pose proof whole_positive. destruct s; [rewrite Zdiv_0_r; lia | apply Z.div_pos; lia].
Qed.

Lemma cost_permutation : forall d, (forall i j, d i j = d j i) ->
  forall G H, Permutation G H -> cost c d G = cost c d H.
Proof.
  intros d symmetric G H same. unfold cost.
  rewrite (over_pairs_permutation d symmetric G H same), (Permutation_length same). reflexivity.
Qed.

Lemma cost_nonnegative : forall G, 0 <= cost c near G.
Proof.
  intros. unfold cost. apply Z.mul_nonneg_nonneg; [apply share_nonnegative |].
  apply over_pairs_nonnegative. assumption.
Qed.

Lemma duals_right : forall d, valid_duals n c d = true ->
  right_duals at_ d /\ length (prices d) = n /\ 1 <= unit d /\ 0 <= fewest d /\ most d <= 0.
Proof.
  intros d valid. unfold valid_duals in valid. repeat rewrite andb_true_iff in valid.
  destruct valid as [[[[one len] more] less] named].
  rewrite forallb_forall in named. pose proof cuts_valid as all_valid.
  rewrite forallb_forall in all_valid.
  split; [| repeat split; try lia; apply Nat.eqb_eq; assumption].
  intros x in_local. apply in_map_iff in in_local. destruct in_local as [[number price] [<- member]].
  specialize (named _ member). cbn [fst snd] in *. apply andb_prop in named.
  destruct named as [known sign]. apply Nat.ltb_lt in known.
  assert (right : valid_cut n (at_ number) = true).
  { apply all_valid. unfold at_, cut_at, indexed. apply nth_In. assumption. }
  unfold valid_cut in right. apply andb_prop in right. destruct right as [positive all].
  rewrite forallb_forall in all. repeat split; [nia | lia |].
  intros m in_cut. specialize (all m in_cut). apply andb_prop in all. lia.
Qed.

Lemma prices_as_given : forall d G, length (prices d) = n -> (forall i, In i G -> (i < n)%nat) ->
  sum (map (y (priced_by n at_ d)) G) = sum (map (fun i => unit d * nth i (prices d) 0) G).
Proof.
  intros d G len inside. apply sum_ext. intros i member. cbn [y priced_by]. unfold indexed.
  rewrite (nth_indep _ 0 (unit d * 0)) by (rewrite map_length, len; auto). apply map_nth.
Qed.

Lemma cuts_only_raise : forall d G, right_duals at_ d ->
  pays n at_ d G <= sum (map (fun i => unit d * nth i (prices d) 0) G)
                    + unit d * (fewest d + most d).
Proof.
  intros d G right. unfold pays.
  assert (sum (map (fun x => fst x * (sum (map (weight_in (snd x)) G) / divisor (snd x)))
            (local at_ d)) <= 0); [| lia].
  apply sum_le_zero. intros x member. destruct (right x member) as [sign [positive nonneg]].
  assert (0 <= sum (map (weight_in (snd x)) G) / divisor (snd x)); [| nia].
  apply Z.div_pos; [| lia]. apply sum_nonnegative. intros. apply weight_nonnegative. assumption.
Qed.

Lemma pays_permutation : forall d G H, Permutation G H -> pays n at_ d G = pays n at_ d H.
Proof.
  intros d G H same. unfold pays. rewrite (sum_map_permutation _ _ _ _ same). f_equal.
  apply sum_ext. intros x _. rewrite (sum_map_permutation _ _ _ _ same). reflexivity.
Qed.

Lemma group_of_partition : forall P G, sized n c P -> In G P ->
  NoDup G /\ forall i, In i G -> (i < n)%nat.
Proof.
  intros P G [covers _] member.
  assert (once : NoDup (concat P)).
  { eapply Permutation_NoDup; [apply Permutation_sym; exact covers | apply seq_NoDup]. }
  split.
  - apply in_split in member. destruct member as [a [b ->]].
    rewrite concat_app in once. cbn in once. apply NoDup_right in once.
    apply NoDup_left in once. assumption.
  - intros i in_G. assert (In i (concat P)) by (apply in_concat; eauto).
    rewrite covers in H. apply in_seq in H. lia.
Qed.

Definition total_cost (d : nat -> nat -> Z) (P : list group) : Z := sum (map (cost c d) P).

Lemma within_some : forall T d s lists b l, within n c at_ near least T d s lists = Some (b, l) ->
  let p := priced_by n at_ d in
  let limit := if lists then Z.max (T - b) (-1) else -1 in
  valid_duals n c d = true /\ b = proves n c at_ d
  /\ (forall x, In x (candidates n c near least p s limit) -> 0 <= fst x - paid p (snd x))
  /\ (forall x, In x (candidates n c near least p s limit) -> fst x - paid p (snd x) <= limit -> In x l).
Proof.
  intros T d s lists b l some p limit. unfold within in some.
  destruct (valid_duals n c d) eqn:valid; [| discriminate].
  fold p in some.
  set (limit' := if lists then Z.max (T - proves n c at_ d) (-1) else -1) in some.
  set (reduced := map (fun x => (fst x - paid p (snd x), x)) (candidates n c near least p s limit')) in some.
  destruct (forallb (fun x => 0 <=? fst x) reduced) eqn:none_negative; [| discriminate].
  injection some as <- <-. change limit with limit'. split; [reflexivity | split; [reflexivity |]].
  rewrite forallb_forall in none_negative. split.
  - intros x member.
    assert (In (fst x - paid p (snd x), x) reduced) by (apply in_map_iff; exists x; auto).
    specialize (none_negative _ H). cbn in none_negative. lia.
  - intros x member small. apply in_map_iff. exists (fst x - paid p (snd x), x).
    split; [reflexivity |]. apply filter_In. split; [apply in_map_iff; exists x; auto | cbn; lia].
Qed.

Lemma choose : forall (R : group -> group -> Prop) P, (forall G, In G P -> exists H, R G H) ->
  exists P', Forall2 R P P'.
Proof.
  induction P as [| G P IH]; intros each_one; [exists []; constructor |].
  destruct (each_one G (or_introl eq_refl)) as [H related].
  destruct (IH (fun G member => each_one G (or_intror member))) as [P' rest].
  exists (H :: P'). constructor; assumption.
Qed.

(* Lists of groups, with costs of any kind. *)
Lemma listed_sound : forall (f : group -> Z) T d l lists b l',
  within n c at_ near least T d (Listed l) lists = Some (b, l') ->
  forall P, sized n c P -> (forall G, In G P -> In (f G, G) l) ->
  b <= sum (map f P)
  /\ (lists = true -> sum (map f P) <= T -> forall G, In G P -> In (f G, G) l').
Proof.
  intros f T d l lists b l' some P valid inside.
  destruct (within_some _ _ _ _ _ _ some) as [right [-> [positive kept]]].
  destruct (duals_right d right) as [right' [len [one [more less]]]].
  cbn [candidates] in *.
  assert (at_least : forall G, In G P -> f G - paid (priced_by n at_ d) G <= reduced n at_ f d G).
  { intros G member. unfold reduced. destruct (group_of_partition P G valid member) as [_ small].
    pose proof (paid_at_least n at_ d G right' len small). lia. }
  assert (nonnegative : forall G, In G P -> 0 <= reduced n at_ f d G).
  { intros G member. specialize (at_least G member). specialize (positive _ (inside G member)).
    cbn [fst snd] in positive. lia. }
  split.
  - apply dual_bound; assumption.
  - intros -> cheap G member. apply (kept _ (inside G member)). cbn [fst snd].
    pose proof (reduced_cost_filter n c k_positive at_ f d P G T valid right' len one more
                  less nonnegative cheap member).
    specialize (at_least G member). lia.
Qed.

(* All groups, before they are listed. *)
Lemma all_sound : forall T d j a lists b l,
  within n c at_ near least T d (All j a) lists = Some (b, l) ->
  forall P, sized n c P -> (forall G, In G P -> keeps j a G = true) ->
  b <= total_cost near P
  /\ (lists = true -> total_cost near P <= T ->
      exists P', Forall2 (@Permutation nat) P P'
                 /\ forall G, In G P' -> In (cost c near G, G) l).
Proof.
  intros T d j a lists b l some P valid kept_P.
  destruct (within_some _ _ _ _ _ _ some) as [right [-> [positive kept]]].
  destruct (duals_right d right) as [right' [len [one [more less]]]].
  set (p := priced_by n at_ d) in *.
  set (limit := if lists then Z.max (T - proves n c at_ d) (-1) else -1) in *.
  assert (low : -1 <= limit) by (unfold limit; destruct lists; lia).
  set (f := cost c near) in *.
  assert (same_reduced : forall G H, Permutation G H ->
            reduced n at_ f d G = reduced n at_ f d H).
  { intros G H same. unfold reduced, f.
    rewrite (cost_permutation near near_symmetric G H same), (pays_permutation d G H same).
    reflexivity. }
  assert (inside_H : forall G H, In G P -> Permutation G H -> forall i, In i H -> (i < n)%nat).
  { intros G H member same i in_H. apply (proj2 (group_of_partition P G valid member)).
    rewrite same. assumption. }
  assert (listed : forall G, In G P -> reduced n at_ f d G <= limit ->
    exists H, In (f H, H) (candidates n c near least p (All j a) limit) /\ Permutation G H).
  { intros G member small. destruct (group_of_partition P G valid member) as [once inside].
    destruct (found_all n c near near_symmetric near_always near_itself share_nonnegative p limit
                (fun G => keeps j a G && (cost c near G - paid p G <=? limit)) G once inside
                k_positive (proj2 valid G member)) as [H [found_H same]].
    - fold f. unfold p. rewrite prices_as_given by assumption. cbn [each priced_by].
      pose proof (cuts_only_raise d G right'). unfold reduced in small. lia.
    - intros H same. apply andb_true_intro. split.
      + rewrite <- (keeps_permutation j a G H same). auto.
      + pose proof (paid_at_least n at_ d H right' len (inside_H G H member same)) as more_paid.
        fold p in more_paid. rewrite (same_reduced G H same) in small.
        unfold reduced, f in small. lia.
    - exists H. split; [| assumption]. cbn [candidates]. apply in_map_iff. exists H.
      split; [reflexivity | exact found_H]. }
  assert (nonnegative : forall G, In G P -> 0 <= reduced n at_ f d G).
  { intros G member. destruct (Z_le_gt_dec (reduced n at_ f d G) limit) as [small | large]; [| lia].
    destruct (listed G member small) as [H [in_list same]].
    specialize (positive _ in_list). cbn [fst snd] in positive.
    rewrite (same_reduced G H same). unfold reduced.
    pose proof (paid_at_least n at_ d H right' len (inside_H G H member same)). fold p in H0. lia. }
  split; [apply dual_bound; assumption |].
  intros -> cheap.
  destruct (choose (fun G H => Permutation G H /\ In (f H, H) l) P) as [P' related].
  { intros G member.
    pose proof (reduced_cost_filter n c k_positive at_ f d P G T valid right' len one more
                  less nonnegative cheap member) as small.
    destruct (listed G member ltac:(unfold limit; lia)) as [H [in_list same]].
    exists H. split; [assumption |]. apply (kept _ in_list). cbn [fst snd].
    pose proof (paid_at_least n at_ d H right' len (inside_H G H member same)). fold p in H0.
    rewrite (same_reduced G H same) in small. unfold reduced in small. unfold limit. lia. }
  exists P'. clear - related. induction related as [| G H P P' [same in_l] rest [IH1 IH2]].
  - split; [constructor | contradiction].
  - split; [constructor; assumption |]. intros F [<- | member]; auto.
Qed.

(* Partitions whose groups are in another order are the same. *)
Lemma reordered : forall P P', Forall2 (@Permutation nat) P P' ->
  (sized n c P -> sized n c P') /\ total_cost near P = total_cost near P'
  /\ total_cost e P = total_cost e P'.
Proof.
  intros P P' related.
  assert (covers : Permutation (concat P) (concat P')).
  { induction related; cbn; [constructor | apply Permutation_app; assumption]. }
  repeat split.
  - transitivity (concat P); [symmetry; assumption | apply H].
  - destruct H as [_ legal]. revert H0. induction related; [contradiction |].
    intros [<- | member].
    + rewrite <- (Permutation_length H). apply legal. left. reflexivity.
    + apply IHrelated; [| | assumption].
      * clear - related. induction related; cbn; [constructor | apply Permutation_app; assumption].
      * intros. apply legal. right. assumption.
  - destruct H as [_ legal]. revert H0. induction related; [contradiction |].
    intros [<- | member].
    + rewrite <- (Permutation_length H). apply legal. left. reflexivity.
    + apply IHrelated; [| | assumption].
      * clear - related. induction related; cbn; [constructor | apply Permutation_app; assumption].
      * intros. apply legal. right. assumption.
  - unfold total_cost. clear covers. induction related; [reflexivity |].
    unfold sum in *. cbn [map fold_right].
    rewrite (cost_permutation near near_symmetric _ _ H), IHrelated. reflexivity.
  - unfold total_cost. clear covers. induction related; [reflexivity |].
    unfold sum in *. cbn [map fold_right].
    rewrite (cost_permutation e e_symmetric _ _ H), IHrelated. reflexivity.
Qed.

(* Lemma 11: what a node says of the partitions from its groups that cost at most T, on any costs. *)

Definition total_of (f : group -> Z) (P : list group) : Z := sum (map f P).

Definition good (P : list group) : Prop := sized n c P /\ total_cost e P < enough.

Definition fits (f : group -> Z) (P : list group) (s : scope) : Prop :=
  match s with
  | All j a => f = cost c near /\ forall G, In G P -> keeps j a G = true
  | Listed l => forall G, In G P -> In (f G, G) l
  end.

Hypothesis grained : forall P, good P -> total_cost e P <= enough - grain.

Definition sound (T : Z) (s : scope) (b : Z) : Prop :=
  forall f P, good P -> fits f P s -> total_of f P <= T -> b <= total_of f P.

Lemma filter_sound : forall T d s b l, within n c at_ near least T d s true = Some (b, l) ->
  forall b', sound T (Listed l) b' -> sound T s (Z.max b b').
Proof.
  intros T d s b l some b' rest f P [valid less] inside cheap.
  destruct s as [j a | listed].
  - destruct inside as [-> inside]. fold (total_cost near P) in *.
    destruct (all_sound _ _ _ _ _ _ _ some P valid inside) as [first chosen].
    destruct (chosen eq_refl cheap) as [P' [related kept]].
    destruct (reordered P P' related) as [still [costs_same exact_same]].
    unfold total_of in *. fold (total_cost near P) in *.
    assert (b' <= total_cost near P'); [| lia].
    apply (rest (cost c near)); [split; [apply still; assumption | lia] | assumption |].
    unfold total_of. fold (total_cost near P'). lia.
  - destruct (listed_sound f _ _ _ _ _ _ some P valid inside) as [first kept].
    assert (b' <= total_of f P); [| unfold total_of in *; lia].
    apply rest; [split; assumption | | assumption].
    intros G member. apply kept; auto.
Qed.

Lemma after_sound : forall filters T s next b, after n c at_ near least filters T s next = Some b ->
  (forall s b, next s = Some b -> sound T s b) -> sound T s b.
Proof.
  induction filters as [| d rest IH]; intros T s next b some follows; cbn [after] in some.
  - apply follows. assumption.
  - destruct (within n c at_ near least T d s true) as [[b1 l] |] eqn:first; [| discriminate].
    destruct (after n c at_ near least rest T (Listed l) next) as [b2 |] eqn:second; [| discriminate].
    injection some as <-. eapply filter_sound; [exact first |]. eapply IH; eassumption.
Qed.

Lemma on_costs_sound : forall cs T s next b, on_costs c e enough grain cs T s next = Some b ->
  (forall T s b, next T s = Some b -> sound T s b) -> sound T s b.
Proof.
  intros [|] T s next b some follows; cbn [on_costs] in some; [apply follows; assumption |].
  destruct s as [j a | listed]; [discriminate |].
  set (l := map (fun x => (cost c e (snd x), snd x)) listed) in some.
  destruct (next (enough - grain) (Listed l)) as [b' |] eqn:below; [| discriminate].
  destruct (enough - grain <? b') eqn:reached; [| discriminate].
  intros f P [valid less] inside cheap. exfalso.
  pose proof (grained P (conj valid less)) as within_grain.
  assert (b' <= total_of (cost c e) P).
  { apply (follows _ _ _ below); [split; assumption | |].
    - intros G member. unfold l. apply in_map_iff. exists (f G, G).
      split; [reflexivity | apply inside; assumption].
    - unfold total_of. fold (total_cost e P). lia. }
  unfold total_of in H. fold (total_cost e P) in H. lia.
Qed.

Lemma leaf_sound : forall d T s b, option_map fst (within n c at_ near least T d s false) = Some b ->
  sound T s b.
Proof.
  intros d T s b some f P [valid less] inside cheap.
  destruct (within n c at_ near least T d s false) as [[b' l] |] eqn:first; [| discriminate].
  injection some as <-. destruct s as [j a | listed].
  - destruct inside as [-> inside]. apply (all_sound _ _ _ _ _ _ _ first P valid inside).
  - apply (listed_sound f _ _ _ _ _ _ first P valid inside).
Qed.

(* Lemma 12: vectors. In a group, products add up to a square, and moves to nothing or less. *)

Lemma dot_nothing : forall v, dot v [] = 0.
Proof. destruct v; reflexivity. Qed.

Lemma dot_step : forall v w, dot v w = nth 0 v 0 * nth 0 w 0 + dot (tl v) (tl w).
Proof. destruct v, w; cbn [dot nth tl]; rewrite ?dot_nothing; lia. Qed.

Lemma product_of_sums : forall (A : Type) (f g : A -> Z) l,
  sum (map (fun i => sum (map (fun j => f i * g j) l)) l) = sum (map f l) * sum (map g l).
Proof.
  intros. rewrite (sum_ext _ _ (fun i => sum (map g l) * f i)).
  - rewrite sum_scaled. ring.
  - intros. rewrite sum_scaled. ring.
Qed.

Lemma square_of_vectors : forall m (a : nat -> Z) (v : nat -> list Z) G,
  (forall i, In i G -> (length (v i) <= m)%nat) ->
  0 <= sum (map (fun i => sum (map (fun j => a i * a j * dot (v i) (v j)) G)) G).
Proof.
  induction m as [| m IH]; intros a v G short.
  - apply sum_nonnegative. intros i in_i. apply sum_nonnegative. intros j in_j.
    specialize (short i in_i). destruct (v i); [cbn; lia | cbn in short; lia].
  - set (h := fun i => a i * nth 0 (v i) 0).
    rewrite (sum_ext _ _ (fun i => sum (map (fun j => h i * h j) G)
               + sum (map (fun j => a i * a j * dot (tl (v i)) (tl (v j))) G))).
    + rewrite sum_plus, product_of_sums.
      assert (0 <= sum (map (fun i => sum (map (fun j => a i * a j
                * dot ((fun i => tl (v i)) i) ((fun i => tl (v i)) j)) G)) G)).
      { apply IH. intros i in_i. specialize (short i in_i). destruct (v i); cbn in *; lia. }
      cbn beta in *. nia.
    + intros i _. rewrite <- sum_plus. apply sum_ext. intros j _. rewrite dot_step.
      unfold h. ring.
Qed.

Lemma some_length : forall (v : nat -> list Z) G, exists m, forall i, In i G -> (length (v i) <= m)%nat.
Proof.
  induction G as [| i G [m IH]]; [exists 0%nat; intros i []|].
  exists (Nat.max (length (v i)) m). intros j [<- | member]; [lia | specialize (IH j member); lia].
Qed.

(* 1 if a group has the record, else 0. *)
Definition one_of (a : nat) (G : group) : Z := sum (map (fun i => if (a =? i)%nat then 1 else 0) G).

Lemma one_of_cases : forall a G, NoDup G -> one_of a G = 0 \/ one_of a G = 1.
Proof.
  intros a G once. pose proof (only_own c k_positive a 1 G ltac:(lia) once). fold (one_of a G) in *.
  assert (0 <= one_of a G); [| lia].
  apply sum_nonnegative. intros i _. destruct (a =? i)%nat; lia.
Qed.

Definition moved_within (moves : list (nat * (nat * Z))) (G : group) : Z :=
  sum (map (fun i => sum (map (fun j => at_place j (moved_in moves i)) G)) G).

Lemma moves_add_up : forall moves G, moved_within moves G
  = sum (map (fun m => one_of (fst m) G * one_of (fst (snd m)) G * snd (snd m)) moves).
Proof.
  unfold moved_within. induction moves as [| [a [b p]] moves IH]; intros G.
  - rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_constant; reflexivity |].
    intros. change (sum (map (fun _ : nat => 0) G) = 0). rewrite sum_constant. reflexivity.
  - cbn [map fst snd]. unfold sum at 3. cbn [fold_right]. change (fold_right Z.add 0) with sum.
    rewrite <- IH, <- (Z.mul_comm p). unfold one_of.
    rewrite <- product_of_sums, <- sum_scaled, <- sum_plus. apply sum_ext. intros i _.
    rewrite <- sum_scaled, <- sum_plus. apply sum_ext. intros j _.
    unfold moved_in, at_place. cbn [filter map fst snd].
    destruct (a =? i)%nat; [| lia]. cbn [map filter fst snd].
    destruct (b =? j)%nat; cbn [map snd]; unfold sum; cbn [fold_right]; lia.
Qed.

Lemma moves_gain_nothing : forall x G, valid_cone n x = true -> NoDup G ->
  moved_within (moves_of x) G <= 0.
Proof.
  intros x G valid once. rewrite moves_add_up. unfold moves_of.
  rewrite sum_flat_map.
  unfold valid_cone in valid. repeat rewrite andb_true_iff in valid.
  destruct valid as [_ signs]. rewrite forallb_forall in signs.
  apply sum_le_zero. intros [[[i j] h] p] member. specialize (signs _ member).
  cbn beta iota in signs. repeat rewrite andb_true_iff in signs. cbn.
  destruct (one_of_cases i G once) as [-> | ->], (one_of_cases j G once) as [-> | ->],
    (one_of_cases h G once) as [-> | ->]; lia.
Qed.

Lemma least_below : forall l x, In x l -> least_of l <= x.
Proof.
  intros [| y l] x member; [contradiction |]. cbn [least_of].
  assert (below : fold_right Z.min y l <= y /\ forall z, In z l -> fold_right Z.min y l <= z).
  { clear member. induction l as [| a l [first rest]]; cbn [fold_right].
    - split; [lia | contradiction].
    - split; [lia |]. intros z [<- | member]; [lia | specialize (rest z member); lia]. }
  destruct below as [first rest]. destruct member as [<- | member]; auto.
Qed.

Lemma row_below : forall row i G, part_of G (seq 0 n) -> In i G ->
  (k c <= length G <= largest c)%nat ->
  row_bound n c row i <= whole c / size G * sum (map row G).
Proof.
  intros row i G inside member legal. unfold row_bound.
  set (others := sort _).
  eapply Z.le_trans; [apply least_below, in_map_iff; exists (length G); split; [reflexivity |] |].
  - unfold sizes. apply in_seq. lia.
  - fold (size G). apply Z.mul_le_mono_nonneg_l.
    + pose proof whole_positive. apply Z.div_pos; unfold size; lia.
    + apply in_split in member. destruct member as [a [b ->]].
      assert (moved : Permutation (a ++ i :: b) (i :: a ++ b))
        by (symmetry; apply Permutation_middle).
      rewrite (sum_map_permutation _ row _ _ moved), (Permutation_length moved).
      cbn [map length pred]. unfold sum at 1. cbn [fold_right]. change (fold_right Z.add 0) with sum.
      set (G := a ++ b) in *. set (keyed := fun j : nat => (row j, j)) in *.
      assert (part : part_of (map keyed G) others).
      { destruct inside as [rest all]. rewrite moved in all. cbn [app] in all.
        assert (once : NoDup (i :: G ++ rest)) by (rewrite <- all; apply seq_NoDup).
        inversion once as [| ? ? out _]. subst.
        exists (map keyed rest). unfold others. rewrite <- Permuted_sort, <- map_app.
        apply Permutation_map.
        assert (same : Permutation (filter (fun j => negb (j =? i)%nat) (seq 0 n))
                         (filter (fun j => negb (j =? i)%nat) (i :: G ++ rest)))
          by (apply filter_permutation; assumption).
        rewrite same. cbn [filter]. rewrite Nat.eqb_refl. cbn [negb].
        rewrite filter_all; [reflexivity |].
        intros j in_j. destruct (j =? i)%nat eqn:equal; [| reflexivity].
        apply Nat.eqb_eq in equal. subst. contradiction. }
      pose proof (first_are_least others (map keyed G) (sort_ascending _) part) as least_.
      rewrite map_length in least_. unfold keys in least_ |- *. rewrite map_map in least_.
      change (map (fun x => fst (keyed x)) G) with (map row G) in least_. lia.
Qed.

Lemma entries_add_up : forall x G, valid_cone n x = true -> NoDup G ->
  sum (map (fun i => sum (map (rows_of c near x i) G)) G)
  <= parts c * (2 * over_pairs near G)
     - step x * (2 * size G * sum (map (indexed 0 (levels x)) G) + highest x * size G).
Proof.
  intros x G valid once. pose proof (moves_gain_nothing x G valid once) as moved.
  destruct (some_length (indexed [] (vectors x)) G) as [m short].
  pose proof (square_of_vectors m (indexed 0 (scales x)) _ G short) as square.
  pose proof (both_ends near near_symmetric near_itself G) as ends.
  assert (one_more : 1 <= step x).
  { unfold valid_cone in valid. repeat rewrite andb_true_iff in valid. lia. }
  assert (own : sum (map (fun i => sum (map (fun j => if (i =? j)%nat then highest x else 0) G)) G)
                = highest x * size G).
  { unfold size. rewrite <- sum_constant. apply sum_ext. intros i member.
    apply in_split in member. destruct member as [a [b ->]].
    assert (out : ~ In i (a ++ b)) by (apply NoDup_remove_2; assumption).
    rewrite map_app, sum_app. cbn [map]. unfold sum at 2. cbn [fold_right].
    change (fold_right Z.add 0) with sum. rewrite Nat.eqb_refl.
    assert (none : forall l, (forall j, In j l -> In j (a ++ b)) ->
              sum (map (fun j => if (i =? j)%nat then highest x else 0) l) = 0).
    { intros l inside. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_constant; lia |].
      intros j in_j. destruct (i =? j)%nat eqn:same; [| reflexivity].
      apply Nat.eqb_eq in same. subst. exfalso. auto. }
    rewrite !none; [lia | |]; intros; apply in_or_app; auto. }
  assert (pairs_of_levels :
    sum (map (fun i => sum (map (fun j => indexed 0 (levels x) i + indexed 0 (levels x) j) G)) G)
    = 2 * size G * sum (map (indexed 0 (levels x)) G)).
  { rewrite (sum_ext _ _ (fun i => size G * indexed 0 (levels x) i
                                   + sum (map (indexed 0 (levels x)) G))).
    - rewrite sum_plus, sum_scaled, sum_constant. unfold size. ring.
    - intros i _. rewrite sum_plus, sum_constant. unfold size. ring. }
  unfold moved_within in moved.
  rewrite (sum_ext _ _ (fun i =>
    parts c * sum (map (near i) G)
    - sum (map (fun j => indexed 0 (scales x) i * indexed 0 (scales x) j
                         * dot (indexed [] (vectors x) i) (indexed [] (vectors x) j)) G)
    + step x * (sum (map (fun j => at_place j (moved_in (moves_of x) i)) G)
                - sum (map (fun j => indexed 0 (levels x) i + indexed 0 (levels x) j) G)
                - sum (map (fun j => if (i =? j)%nat then highest x else 0) G)))).
  - assert (split : forall f g h k l : nat -> Z,
      sum (map (fun i => parts c * f i - g i + step x * (h i - k i - l i)) G)
      = parts c * sum (map f G) - sum (map g G)
        + step x * (sum (map h G) - sum (map k G) - sum (map l G))).
    { intros. clear. induction G as [| i G IH]; unfold sum in *; cbn [map fold_right]; [ring |].
      rewrite IH. ring. }
    rewrite split, ends, own, pairs_of_levels. nia.
  - intros i _. unfold rows_of. clear.
    induction G as [| j G IH]; unfold sum in *; cbn [map fold_right]; [ring |]. rewrite IH. ring.
Qed.

Lemma cone_sound : forall x T s b,
  check n c at_ near least e enough grain (Cone x) T s = Some b -> sound T s b.
Proof.
  intros x T [joined apart_ | l] b some; [cbn [check] in some | discriminate].
  destruct (valid_cone n x) eqn:valid; [| discriminate]. injection some as <-.
  intros f P [legal less] [-> inside] cheap. clear cheap inside.
  fold (total_cost near P) in *. unfold total_of. fold (total_cost near P).
  assert (facts : length (levels x) = n /\ 1 <= step x /\ highest x <= 0).
  { unfold valid_cone in valid. repeat rewrite andb_true_iff in valid.
    repeat split; try lia. apply Nat.eqb_eq. tauto. }
  destruct facts as [len [one_more low]].
  set (rows := rows_of c near x).
  set (level := indexed 0 (levels x)).
  assert (each_group : forall G, In G P ->
    sum (map (fun i => row_bound n c (rows i) i) G)
    <= 2 * cost c near G - step x * whole c * (2 * sum (map level G) + highest x)).
  { intros G member. destruct (group_of_partition P G legal member) as [once known].
    assert (part : part_of G (seq 0 n)).
    { apply remainder; [assumption |]. intros i in_i. apply in_seq. specialize (known i in_i). lia. }
    pose proof (proj2 legal G member) as sizes_.
    assert (divides : (size G | whole c)).
    { apply lcm_multiple, in_map_iff. exists (length G). split; [reflexivity |].
      unfold sizes. apply in_seq. lia. }
    pose proof (quotient (size G) (whole c) ltac:(unfold size; lia) divides) as product.
    assert (all_rows : sum (map (fun i => row_bound n c (rows i) i) G)
                       <= whole c / size G * sum (map (fun i => sum (map (rows i) G)) G)).
    { rewrite <- sum_scaled. apply sum_le. intros i in_i. apply row_below; assumption. }
    pose proof (entries_add_up x G valid once) as entries_.
    fold rows level in entries_.
    assert (nonnegative : 0 <= whole c / size G).
    { pose proof whole_positive. apply Z.div_pos; unfold size; lia. }
    pose proof (Z.mul_le_mono_nonneg_l _ _ _ nonnegative entries_) as scaled.
    unfold cost, share. fold (size G). nia. }
  pose proof (sum_le _ _ _ P each_group) as all.
  rewrite (over_records n c _ P legal) in all.
  assert (right_side : sum (map (fun G => 2 * cost c near G
            - step x * whole c * (2 * sum (map level G) + highest x)) P)
    = 2 * total_cost near P
      - step x * whole c * (2 * sum (levels x) + highest x * Z.of_nat (length P))).
  { clear - legal len. unfold total_cost.
    assert (levels_are : sum (map (fun G : group => sum (map level G)) P) = sum (levels x)).
    { rewrite (over_records n c level P legal). unfold level, indexed. rewrite <- len.
      rewrite all_of_them. reflexivity. }
    rewrite <- levels_are. clear. induction P as [| G P IH]; [unfold sum; cbn; ring |].
    cbn [map length]. unfold sum in *. cbn [fold_right]. rewrite IH, Nat2Z.inj_succ. ring. }
  rewrite right_side in all.
  pose proof (at_most_so_many n c k_positive P legal) as many.
  pose proof (Z.mul_le_mono_nonpos_l _ _ (highest x) low many) as paid_.
  pose proof whole_positive as positive.
  unfold cone_bound. fold rows.
  set (twice := sum (map (fun i => row_bound n c (rows i) i) (seq 0 n)) + _).
  assert (twice <= 2 * total_cost near P).
  { pose proof (Z.mul_le_mono_nonneg_l _ _ (whole c * step x) ltac:(nia) paid_) as scaled.
    unfold twice. rewrite !Z.mul_add_distr_l in *. rewrite (Z.mul_comm (step x)) in all. lia. }
  assert (- total_cost near P <= - twice / 2); [| lia].
  apply Z.div_le_lower_bound; lia.
Qed.

Lemma has_In : forall a G, has a G = true <-> In a G.
Proof.
  intros. unfold has. rewrite existsb_exists. split.
  - intros [x [member same]]. apply Nat.eqb_eq in same. subst. assumption.
  - intros. exists a. rewrite Nat.eqb_refl. auto.
Qed.

Lemma only_one : forall P G H a, sized n c P -> In G P -> In H P -> In a G -> In a H -> G = H.
Proof.
  intros P G H a [covers _] in_G in_H a_G a_H.
  assert (once : NoDup (concat P)).
  { eapply Permutation_NoDup; [apply Permutation_sym; exact covers | apply seq_NoDup]. }
  clear covers. induction P as [| F P IHP]; [contradiction |].
  cbn in once.
  assert (apart_ : forall x, In x F -> In x (concat P) -> False).
  { clear - once. induction F; cbn in *; [contradiction |].
    inversion once; subst. intros x [same | member] other.
    - subst. apply H1. apply in_or_app. auto.
    - eapply IHF; eauto. }
  assert (tail : NoDup (concat P)) by (apply NoDup_right in once; assumption).
  destruct in_G as [<- | in_G], in_H as [<- | in_H]; auto.
  - exfalso. apply (apart_ a a_G). apply in_concat. eauto.
  - exfalso. apply (apart_ a a_H). apply in_concat. eauto.
Qed.

(* Two records share a group, or they do not. *)
Lemma division : forall P a b, sized n c P ->
  (forall G, In G P -> keeps [(a, b)] [] G = true) \/ (forall G, In G P -> keeps [] [(a, b)] G = true).
Proof.
  intros P a b valid.
  destruct (existsb (fun G => has a G && has b G) P) eqn:shared.
  - left. apply existsb_exists in shared. destruct shared as [G [in_P both]].
    apply andb_prop in both. destruct both as [has_a has_b]. apply has_In in has_a, has_b.
    intros H member. unfold keeps. cbn. rewrite !andb_true_r.
    destruct (has a H) eqn:a_H, (has b H) eqn:b_H; auto.
    + apply has_In in a_H. assert (G = H) by (apply (only_one P G H a); assumption). subst.
      apply has_In in has_b. congruence.
    + apply has_In in b_H. assert (G = H) by (apply (only_one P G H b); assumption). subst.
      apply has_In in has_a. congruence.
  - right. intros H member. unfold keeps. cbn. rewrite !andb_true_r.
    destruct (has a H && has b H) eqn:both; [| reflexivity].
    assert (existsb (fun G => has a G && has b G) P = true) by (apply existsb_exists; eauto).
    congruence.
Qed.

Lemma half_fits : forall f P s j a, fits f P s -> (forall G, In G P -> keeps j a G = true) ->
  fits f P (half j a s).
Proof.
  intros f P [j0 a0 | l] j a inside kept; cbn [half fits] in *.
  - destruct inside as [same inside]. split; [assumption |].
    intros G member. specialize (inside G member). specialize (kept G member).
    unfold keeps in *. rewrite !forallb_app. apply andb_prop in inside, kept.
    destruct inside as [-> ->], kept as [-> ->]. reflexivity.
  - intros G member. apply filter_In. split; [apply inside; assumption |]. cbn. auto.
Qed.

Theorem check_sound : forall t T s b,
  check n c at_ near least e enough grain t T s = Some b -> sound T s b.
Proof.
  induction t as [filters cs d | x | filters a b joined IH1 separated IH2]; intros T s bound_ some;
    cbn [check] in some; [| exact (cone_sound _ _ _ _ some) |];
    (eapply after_sound; [exact some |]); cbn beta; clear some.
  - intros s' b' some. eapply on_costs_sound; [exact some |]. cbn beta. intros.
    eapply leaf_sound. eassumption.
  - intros s' b' halves f P good_P inside cheap.
    destruct (check n c at_ near least e enough grain joined T (half [(a, b)] [] s')) as [x |] eqn:first;
      [| discriminate].
    destruct (check n c at_ near least e enough grain separated T (half [] [(a, b)] s')) as [z |] eqn:second;
      [| discriminate].
    injection halves as <-.
    destruct (division P a b (proj1 good_P)) as [kept | kept].
    + pose proof (IH1 _ _ _ first f P good_P (half_fits f P s' _ _ inside kept) cheap). lia.
    + pose proof (IH2 _ _ _ second f P good_P (half_fits f P s' _ _ inside kept) cheap). lia.
Qed.

End Nodes.

(* THE THEOREM *)

Lemma matrix_at : forall n f i j,
  matrix n f i j = if ((i <? n) && (j <? n))%nat then f i j else 0.
Proof.
  intros. unfold matrix, indexed.
  destruct (Nat.ltb_spec i n) as [i_in | i_out]; cbn [andb].
  - rewrite (nth_indep _ (fun _ => 0) ((fun i j => nth j (map (f i) (seq 0 n)) 0) 0%nat))
      by (rewrite map_length, seq_length; assumption).
    rewrite (map_nth (fun i j => nth j (map (f i) (seq 0 n)) 0)), seq_nth by assumption. cbn [plus].
    destruct (Nat.ltb_spec j n) as [j_in | j_out].
    + rewrite (nth_indep _ 0 (f i 0%nat)) by (rewrite map_length, seq_length; assumption).
      rewrite map_nth, seq_nth by assumption. reflexivity.
    + apply nth_overflow. rewrite map_length, seq_length. assumption.
  - rewrite nth_overflow by (rewrite map_length, seq_length; assumption). reflexivity.
Qed.

Lemma is_partition_right : forall n P, is_partition n P = true -> Permutation (concat P) (seq 0 n).
Proof.
  unfold is_partition. intros n P right. apply andb_prop in right. destruct right as [len all].
  apply Nat.eqb_eq in len. rewrite forallb_forall in all. symmetry.
  apply NoDup_Permutation_bis.
  - apply seq_NoDup.
  - rewrite seq_length, len. constructor.
  - intros i member. apply has_In. apply all. assumption.
Qed.

Section Main.

Variable t : table.
Variable c : certificate.
Let n := records t.
Hypothesis request : check_request n c = true.
Let D := distances_of t (per_unit c).
Let e := exact (width t) D.
Let near := matrix n (fun i j => e i j / common D).

Lemma request_right : (1 <= k c)%nat /\ (k c <= largest c)%nat /\ (largest c <= n)%nat
  /\ (0 < per_unit c)%Q /\ 1 <= parts c /\ forallb (valid_cut n) (cuts c) = true.
Proof.
  pose proof request as right. unfold check_request in right. repeat rewrite andb_true_iff in right.
  destruct right as [[[[[[one more] less] u] p] _] cuts_]. repeat split; try assumption;
    try (apply Nat.leb_le; assumption); try lia.
  unfold Qlt. cbn. lia.
Qed.

Let k_positive := proj1 request_right.
Let u_positive := proj1 (proj2 (proj2 (proj2 request_right))).
Let parts_positive := proj1 (proj2 (proj2 (proj2 (proj2 request_right)))).
Let cuts_valid := proj2 (proj2 (proj2 (proj2 (proj2 request_right)))).

Lemma some_records : (0 < records t)%nat.
Proof. pose proof request_right as [one [more [less _]]]. unfold n in less. lia. Qed.

Lemma D_positive : 0 < common D.
Proof. apply common_positive; [exact u_positive | exact some_records]. Qed.

Lemma e_nonnegative : forall i j, 0 <= e i j.
Proof. apply exact_nonnegative; [exact u_positive | exact some_records]. Qed.

Lemma e_symmetric : forall i j, e i j = e j i.
Proof. apply exact_symmetric. Qed.

Lemma e_itself : forall i, e i i = 0.
Proof. apply exact_itself. Qed.

Lemma near_symmetric : forall i j, near i j = near j i.
Proof.
  intros. unfold near. rewrite !matrix_at, (e_symmetric i j).
  rewrite andb_comm. reflexivity.
Qed.

Lemma near_always : forall i j, 0 <= near i j.
Proof.
  intros. unfold near. rewrite matrix_at.
  match goal with |- context [if ?both then _ else _] => destruct both end; [| lia].
  apply Z.div_pos; [apply e_nonnegative | apply D_positive].
Qed.

Lemma near_itself : forall i, near i i = 0.
Proof.
  intros. unfold near. rewrite matrix_at, e_itself, Z.div_0_l by (pose proof D_positive; lia).
  destruct (_ && _); reflexivity.
Qed.

Lemma near_below : forall i j, common D * near i j <= e i j.
Proof.
  intros. unfold near. rewrite matrix_at. pose proof D_positive. pose proof (e_nonnegative i j).
  match goal with |- context [if ?both then _ else _] => destruct both end;
    [apply Z.mul_div_le; assumption | lia].
Qed.

Lemma units_positive : (0 < units c)%Q.
Proof.
  unfold units. apply Qmult_lt_0_compat; [exact u_positive |].
  apply inject_positive. pose proof (whole_positive c k_positive). pose proof parts_positive. nia.
Qed.

Lemma exact_cost : forall G, (k c <= length G <= largest c)%nat ->
  (inject_Z (cost c e G) == units c * inject_Z (common D) * sse t G)%Q.
Proof.
  intros G legal. pose proof k_positive as one.
  assert (some : G <> []) by (intro; subst; cbn in legal; lia).
  rewrite (sse_by_pairs t G some).
  assert (pairs_add_up : (inject_Z (over_pairs e G) == per_unit c * inject_Z (common D)
            * total (map (fun p => distance t (fst p) (snd p)) (pairs G)))%Q).
  { unfold over_pairs. rewrite <- total_whole, <- total_scaled. apply total_eq. intros p _.
    unfold e, D. rewrite (exact_value t (per_unit c) u_positive some_records). ring. }
  assert (divides : (Z.of_nat (length G) | whole c)).
  { apply lcm_multiple, in_map_iff. exists (length G). split; [reflexivity |].
    unfold sizes. apply in_seq. lia. }
  pose proof (quotient (Z.of_nat (length G)) (whole c) ltac:(lia) divides) as product.
  unfold cost, share, units. rewrite !inject_Z_mult, pairs_add_up.
  assert (whole_is : (inject_Z (whole c) == inject_Z (Z.of_nat (length G))
                      * inject_Z (whole c / Z.of_nat (length G)))%Q).
  { rewrite <- inject_Z_mult, product. reflexivity. }
  rewrite whole_is. unfold count. field. apply inject_nonzero. lia.
Qed.

Lemma exact_total_cost : forall P, sized n c P ->
  (inject_Z (total_cost c e P) == units c * inject_Z (common D) * sse_of t P)%Q.
Proof.
  intros P [_ legal]. unfold total_cost, sse_of. rewrite <- total_whole, <- total_scaled.
  apply total_eq. intros G member. apply exact_cost. apply legal. assumption.
Qed.

Lemma whole_below_exact : forall G, common D * cost c near G <= cost c e G.
Proof.
  intros. unfold cost.
  assert (common D * over_pairs near G <= over_pairs e G).
  { unfold over_pairs. rewrite <- sum_scaled. apply sum_le. intros p _. apply near_below. }
  pose proof (share_nonnegative c k_positive parts_positive (length G)). nia.
Qed.

Lemma whole_below_sse : forall P, sized n c P ->
  (inject_Z (total_cost c near P) <= units c * sse_of t P)%Q.
Proof.
  intros P valid. pose proof (exact_total_cost P valid) as exact_.
  assert (below : common D * total_cost c near P <= total_cost c e P).
  { unfold total_cost. rewrite <- sum_scaled. apply sum_le. intros. apply whole_below_exact. }
  rewrite Zle_Qle, inject_Z_mult, exact_ in below.
  pose proof (inject_positive _ D_positive) as positive.
  apply (Qmult_le_l _ _ (inject_Z (common D)) positive).
  eapply Qle_trans; [exact below |].
  assert (same : (units c * inject_Z (common D) * sse_of t P
                  == inject_Z (common D) * (units c * sse_of t P))%Q) by ring.
  rewrite same. apply Qle_refl.
Qed.

Lemma total_cost_multiple : forall P, (parts c | total_cost c near P).
Proof.
  intros. apply sum_multiple. intros G _. unfold cost, share.
  exists (whole c / Z.of_nat (length G) * over_pairs near G). ring.
Qed.

(* Lemma 4 *)
Lemma cheaper_within_target : forall P, sized n c P -> (sse_of t P < value c)%Q ->
  total_cost c near P <= target c.
Proof.
  intros P valid less. destruct (total_cost_multiple P) as [z product].
  pose proof (whole_below_sse P valid) as below. pose proof parts_positive as one.
  assert (strict : (inject_Z (total_cost c near P) < units c * value c)%Q).
  { eapply Qle_lt_trans; [exact below |].
    apply (Qmult_lt_l _ _ (units c) units_positive). assumption. }
  assert (small : (inject_Z z < value c * per_unit c * inject_Z (whole c))%Q).
  { rewrite product, inject_Z_mult in strict. unfold units in strict.
    rewrite inject_Z_mult in strict.
    assert (same : (per_unit c * (inject_Z (whole c) * inject_Z (parts c)) * value c
                    == value c * per_unit c * inject_Z (whole c) * inject_Z (parts c))%Q) by ring.
    rewrite same in strict. apply Qmult_lt_r in strict; [assumption |].
    apply inject_positive. lia. }
  assert (z < Qceiling (value c * per_unit c * inject_Z (whole c))).
  { rewrite Zlt_Qlt. eapply Qlt_le_trans; [exact small | apply Qle_ceiling]. }
  unfold target. rewrite product. nia.
Qed.

Lemma target_below_value : (inject_Z (target c) < units c * value c)%Q.
Proof.
  pose proof parts_positive as one.
  unfold target, units. rewrite !inject_Z_mult.
  assert (step : (inject_Z (Qceiling (value c * per_unit c * inject_Z (whole c)) - 1)
                  < value c * per_unit c * inject_Z (whole c))%Q) by apply Qceiling_lt.
  assert (same : (per_unit c * (inject_Z (whole c) * inject_Z (parts c)) * value c
                  == value c * per_unit c * inject_Z (whole c) * inject_Z (parts c))%Q) by ring.
  rewrite same, Qmult_comm. apply Qmult_lt_compat_r; [| exact step].
  apply inject_positive. lia.
Qed.

Hypothesis partition_right : check_partition n c e (common D) = true.

Lemma partition_allowed : allowed n c (partition c).
Proof.
  pose proof partition_right as right. unfold check_partition in right.
  repeat rewrite andb_true_iff in right. destruct right as [[covers legal] _].
  split; [apply is_partition_right; assumption |].
  rewrite forallb_forall in legal. intros G member. specialize (legal G member).
  repeat rewrite andb_true_iff in legal. destruct legal as [[least most_] kept].
  apply Nat.leb_le in least, most_. auto.
Qed.

Lemma allowed_sized : forall P, allowed n c P -> sized n c P.
Proof. intros P [covers legal]. split; [assumption | intros G member; apply legal; assumption]. Qed.

Definition enough_here : Z := parts c * exact_total c e (partition c).

Lemma enough_is_exact : enough_here = total_cost c e (partition c).
Proof.
  unfold enough_here, exact_total, total_cost. rewrite <- sum_scaled. apply sum_ext. intros.
  unfold cost, share. ring.
Qed.

Lemma partition_value : (sse_of t (partition c) == value c)%Q.
Proof.
  pose proof partition_right as right. unfold check_partition in right.
  apply andb_prop in right. destruct right as [_ equal].
  apply Z.eqb_eq in equal.
  pose proof (exact_total_cost _ (allowed_sized _ partition_allowed)) as exact_.
  rewrite <- enough_is_exact in exact_. unfold enough_here in exact_.
  rewrite inject_Z_mult in exact_. unfold units in exact_. rewrite inject_Z_mult in exact_.
  assert (claimed : (inject_Z (exact_total c e (partition c))
                     == value c * per_unit c * (inject_Z (whole c) * inject_Z (common D)))%Q).
  { rewrite (fraction (value c)), (fraction (per_unit c)).
    assert (equal_q : (inject_Z (exact_total c e (partition c))
        * (inject_Z (Zpos (Qden (value c))) * inject_Z (Zpos (Qden (per_unit c))))
        == inject_Z (Qnum (value c)) * inject_Z (Qnum (per_unit c))
           * (inject_Z (whole c) * inject_Z (common D)))%Q).
    { rewrite <- !inject_Z_mult, equal. reflexivity. }
    assert (v : ~ (inject_Z (Zpos (Qden (value c))) == 0)%Q) by (apply inject_nonzero; lia).
    assert (w : ~ (inject_Z (Zpos (Qden (per_unit c))) == 0)%Q) by (apply inject_nonzero; lia).
    transitivity (inject_Z (exact_total c e (partition c))
        * (inject_Z (Zpos (Qden (value c))) * inject_Z (Zpos (Qden (per_unit c))))
        / (inject_Z (Zpos (Qden (value c))) * inject_Z (Zpos (Qden (per_unit c)))))%Q;
      [field; split; assumption | rewrite equal_q; field; split; assumption]. }
  rewrite claimed in exact_.
  pose proof (inject_positive _ D_positive) as d_positive.
  pose proof (inject_positive _ (whole_positive c k_positive)) as w_positive.
  pose proof (inject_positive (parts c) ltac:(pose proof parts_positive; lia)) as p_positive.
  pose proof u_positive as uu.
  assert (factor_positive : (0 < inject_Z (parts c) * per_unit c
                             * (inject_Z (whole c) * inject_Z (common D)))%Q).
  { repeat apply Qmult_lt_0_compat; assumption. }
  assert (nonzero : ~ (inject_Z (parts c) * per_unit c
                       * (inject_Z (whole c) * inject_Z (common D)) == 0)%Q).
  { intro zero. rewrite zero in factor_positive. exact (Qlt_irrefl 0 factor_positive). }
  apply (Qmult_inj_l _ _ _ nonzero).
  transitivity (per_unit c * (inject_Z (whole c) * inject_Z (parts c)) * inject_Z (common D)
                * sse_of t (partition c))%Q; [ring |].
  rewrite <- exact_. ring.
Qed.

Lemma cheaper_is_good : forall P, allowed n c P -> (sse_of t P < value c)%Q ->
  good n c e enough_here P.
Proof.
  intros P valid less. pose proof (allowed_sized P valid) as sized_P.
  split; [assumption |].
  rewrite enough_is_exact, Zlt_Qlt, !exact_total_cost, partition_value;
    [| apply allowed_sized, partition_allowed | assumption].
  apply (Qmult_lt_l _ _ (units c * inject_Z (common D))); [| assumption].
  apply Qmult_lt_0_compat; [apply units_positive | apply inject_positive, D_positive].
Qed.

Let grain := Z.max 1 (parts c * gcd_of (wholes D)).

Lemma total_cost_grain : forall P, (grain | total_cost c e P).
Proof.
  intros P. apply sum_multiple. intros G _. unfold cost, share.
  destruct (Z.max_spec 1 (parts c * gcd_of (wholes D))) as [[_ is] | [_ is]];
    unfold grain; rewrite is; [| apply Z.divide_1_l].
  rewrite <- Z.mul_assoc. apply Z.mul_divide_mono_l, Z.divide_mul_r.
  apply sum_multiple. intros. apply exact_multiple.
Qed.

Lemma grained : forall P, good n c e enough_here P -> total_cost c e P <= enough_here - grain.
Proof.
  intros P [_ less]. destruct (total_cost_grain P) as [x P_is].
  destruct (total_cost_grain (partition c)) as [z c_is].
  rewrite enough_is_exact in *. rewrite P_is, c_is in *.
  assert (positive : 0 < grain) by (unfold grain; lia).
  apply Z.mul_lt_mono_pos_r in less; [nia | assumption].
Qed.

Hypothesis accepted : accepts n c near e (gcd_of (wholes D)) = true.

Theorem bound_holds : forall P, allowed n c P -> (bound c <= sse_of t P)%Q.
Proof.
  intros P valid. pose proof accepted as yes. unfold accepts in yes.
  fold enough_here grain in yes.
  destruct (check n c (cut_at c) near (least_sums n near) e enough_here grain (proof c) (target c)
              (All (together c) (apart c)))
    as [proved |] eqn:checked; [| discriminate].
  pose proof (check_sound n c near e enough_here grain k_positive parts_positive cuts_valid
                near_symmetric near_always near_itself e_symmetric grained _ _ _ _ checked
                (cost c near) P) as holds.
  pose proof units_positive as positive.
  assert (scaled : forall x y, (x * units c <= units c * y)%Q -> (x <= y)%Q).
  { intros x y_ less. rewrite (Qmult_comm x) in less. apply Qmult_le_l in less; assumption. }
  destruct (Qlt_le_dec (sse_of t P) (value c)) as [less | enough_].
  - pose proof (cheaper_is_good P valid less) as good_P.
    assert (inside : fits c near (cost c near) P (All (together c) (apart c))).
    { split; [reflexivity |]. intros G member. apply valid. assumption. }
    pose proof (cheaper_within_target P (allowed_sized P valid) less) as cheap.
    specialize (holds good_P inside cheap). fold (total_cost c near P) in *.
    unfold total_of in holds. fold (total_cost c near P) in holds.
    assert (not_negative : 0 <= total_cost c near P).
    { apply sum_nonnegative. intros. apply cost_nonnegative; assumption || apply near_always. }
    set (b := Z.max 0 proved) in *. assert (b <= total_cost c near P) by lia.
    destruct (target c <? b) eqn:over; [lia |].
    apply Qle_bool_iff in yes. apply scaled. eapply Qle_trans; [exact yes |].
    eapply Qle_trans; [| apply whole_below_sse, allowed_sized; assumption].
    rewrite <- Zle_Qle. assumption.
  - set (b := Z.max 0 proved) in *.
    destruct (target c <? b) eqn:over; apply Qle_bool_iff in yes; [lra |].
    apply scaled. eapply Qle_trans; [exact yes |].
    apply Qle_trans with (units c * value c)%Q.
    + eapply Qle_trans; [| apply Qlt_le_weak, target_below_value]. rewrite <- Zle_Qle. lia.
    + apply (Qmult_le_l _ _ (units c) positive). assumption.
Qed.

End Main.

Theorem accepted_is_true : forall t c, verdict t c = true ->
  allowed (records t) c (partition c)
  /\ (sse_of t (partition c) == value c)%Q
  /\ forall P, allowed (records t) c P -> (bound c <= sse_of t P)%Q.
Proof.
  intros t c yes. unfold verdict in yes.
  destruct (check_request (records t) c) eqn:request; [| discriminate].
  apply andb_prop in yes. destruct yes as [right accepted].
  split; [| split].
  - eapply partition_allowed; eassumption.
  - apply partition_value; assumption.
  - intros P valid. apply bound_holds; assumption.
Qed.

Print Assumptions accepted_is_true.
