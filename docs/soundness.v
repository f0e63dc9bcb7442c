(* What an accepted certificate proves: the theorem of soundness.md for Coq 8.16 or later.

   coqc soundness.v

   Proved: costs rounded down are lower bounds (Lemma 3), the target (4), the numbers of groups (5),
   rank-1 cuts (6), weak duality (7), the reduced-cost filter (8), and the whole tree with leaves, closed
   and infeasible ones, further nodes and divisions (11), hence the theorem.

   Assumed, as the hypotheses of the section: the groups of the instance are given as a list, of
   legal sizes that divide L (1, 9, 10 of the page: what is read, and the search for groups); the SSE of a
   group is the sum of any distances over its pairs, divided by its size (2); the search of a
   leaf to the end does what it says (12).

   It is about the argument. That the programs do what is written here is tested, not proved. *)

Require Import ZArith QArith Qround List Permutation Lia Lqa Bool.
Import ListNotations.
Open Scope Z_scope.

Definition sum (values : list Z) : Z := fold_right Z.add 0 values.
Definition total (values : list Q) : Q := fold_right Qplus 0%Q values.

Lemma sum_app : forall a b, sum (a ++ b) = sum a + sum b.
Proof. induction a; intros; simpl; [reflexivity | rewrite IHa; lia]. Qed.

Lemma sum_permutation : forall a b, Permutation a b -> sum a = sum b.
Proof. induction 1; simpl; lia. Qed.

Lemma sum_concat : forall (A : Type) (f : A -> Z) (lists : list (list A)),
  sum (map f (concat lists)) = sum (map (fun l => sum (map f l)) lists).
Proof.
  induction lists; simpl; [reflexivity |].
  rewrite map_app, sum_app, IHlists. reflexivity.
Qed.

Lemma sum_plus : forall (A : Type) (f g : A -> Z) l,
  sum (map (fun x => f x + g x) l) = sum (map f l) + sum (map g l).
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

Lemma sum_multiple : forall (A : Type) (f : A -> Z) (m : Z) l,
  (forall x, In x l -> (m | f x)) -> (m | sum (map f l)).
Proof.
  induction l; simpl; intros; [apply Z.divide_0_r |].
  apply Z.divide_add_r; auto.
Qed.

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

Lemma total_le : forall (A : Type) (f g : A -> Q) l,
  (forall x, In x l -> (f x <= g x)%Q) -> (total (map f l) <= total (map g l))%Q.
Proof.
  induction l; simpl; intros; [apply Qle_refl |].
  apply Qplus_le_compat; [apply H | apply IHl]; auto.
Qed.

Lemma total_scaled : forall (A : Type) (c : Q) (f : A -> Q) l,
  (total (map (fun x => c * f x) l) == c * total (map f l))%Q.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.

Lemma total_whole : forall (A : Type) (f : A -> Z) l,
  (total (map (fun x => inject_Z (f x)) l) == inject_Z (sum (map f l)))%Q.
Proof. induction l; simpl; [reflexivity | rewrite IHl, inject_Z_plus; reflexivity]. Qed.

Definition group := list nat.

Record cut := { weight : nat -> Z; elsewhere : Z; divisor : Z; price : Z }.
(* `elsewhere`: the weights of records that do not exist. *)

Record duals := { prices : nat -> Z; fewest : Z; most : Z; cuts : list cut }.

Inductive node :=
  | Leaf (d : option duals)
  | Infeasible (d : duals)
  | Searched (d : duals)
  | Next (d : option duals) (rest : node)
  | Divided (d : option duals) (a b : nat) (joined separated : node).

Inductive bound := Whole (b : Z) | Closed.

Definition greater (b : Z) (c : bound) : bound :=
  match c with Closed => Closed | Whole c => Whole (Z.max b c) end.

Definition lesser (b c : bound) : bound :=
  match b, c with
  | Closed, c => c
  | b, Closed => b
  | Whole b, Whole c => Whole (Z.min b c)
  end.

Section Instance.

Variable n : nat.
Variables k largest : Z.
Variable groups : list group.
Variable distance : nat -> nat -> Q.
Variable per_unit : Q.
Variables parts L : Z.
Variable value : Q.

Hypothesis k_positive : 1 <= k.
Hypothesis sizes : forall G, In G groups -> k <= Z.of_nat (length G) <= largest.
Hypothesis L_positive : 0 < L.
Hypothesis L_multiple : forall G, In G groups -> (Z.of_nat (length G) | L).
Hypothesis distance_nonnegative : forall i j, (0 <= distance i j)%Q.
Hypothesis per_unit_positive : (0 < per_unit)%Q.
Hypothesis parts_positive : 1 <= parts.

Definition partition (P : list group) : Prop :=
  Permutation (concat P) (seq 0 n) /\ incl P groups.

Definition size (G : group) : Z := Z.of_nat (length G).

Fixpoint pairs (G : group) : list (nat * nat) :=
  match G with [] => [] | i :: rest => map (pair i) rest ++ pairs rest end.

Definition sse (G : group) : Q :=
  (total (map (fun p => distance (fst p) (snd p)) (pairs G)) / inject_Z (size G))%Q.

Definition floors (G : group) : Z :=
  sum (map (fun p => Qfloor (per_unit * distance (fst p) (snd p))) (pairs G)).

Definition cost (G : group) : Z := parts * (L / size G * floors G).

Definition sse_of (P : list group) : Q := total (map sse P).
Definition cost_of (P : list group) : Z := sum (map cost P).
Definition units : Q := (per_unit * inject_Z (L * parts))%Q.

Lemma units_positive : (0 < units)%Q.
Proof.
  unfold units. apply Qmult_lt_0_compat; [assumption |].
  change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. nia.
Qed.

(* Lemma 3 *)

Lemma floors_below : forall G,
  (inject_Z (floors G)
   <= per_unit * total (map (fun p => distance (fst p) (snd p)) (pairs G)))%Q.
Proof.
  intros. unfold floors. rewrite <- total_whole, <- total_scaled.
  apply total_le. intros. apply Qfloor_le.
Qed.

Lemma floors_nonnegative : forall G, 0 <= floors G.
Proof.
  intros. apply sum_nonnegative. intros.
  change 0 with (Qfloor (inject_Z 0)). apply Qfloor_resp_le. change (inject_Z 0) with 0%Q.
  apply Qmult_le_0_compat; [apply Qlt_le_weak; assumption | apply distance_nonnegative].
Qed.

Lemma cost_nonnegative : forall G, In G groups -> 0 <= cost G.
Proof.
  intros G member. unfold cost, size. pose proof (sizes G member). pose proof (floors_nonnegative G).
  assert (0 <= L / Z.of_nat (length G)) by (apply Z.div_pos; lia). nia.
Qed.

Lemma cost_multiple : forall G, (parts | cost G).
Proof. intros. exists (L / size G * floors G). unfold cost. ring. Qed.

Lemma cost_below : forall G, In G groups -> (inject_Z (cost G) <= units * sse G)%Q.
Proof.
  intros G member. pose proof (sizes G member) as [least _].
  destruct (L_multiple G member) as [q product].
  assert (positive : 0 < size G) by (unfold size; lia).
  assert (share : L / size G = q).
  { unfold size in *. rewrite product. apply Z.div_mul. lia. }
  assert (q_positive : 0 < q) by (unfold size in *; nia).
  unfold cost, units, sse. rewrite share.
  replace L with (q * size G) by (symmetry; exact product).
  set (D := total (map (fun p => distance (fst p) (snd p)) (pairs G))).
  assert (nonzero : ~ (inject_Z (size G) == 0)%Q).
  { change 0%Q with (inject_Z 0). rewrite inject_Z_injective. lia. }
  assert (scaled : (per_unit * inject_Z (q * size G * parts) * (D / inject_Z (size G))
                    == inject_Z (parts * q) * (per_unit * D))%Q).
  { repeat rewrite inject_Z_mult. field. assumption. }
  rewrite scaled, Z.mul_assoc, inject_Z_mult.
  rewrite (Qmult_comm (inject_Z (parts * q))), (Qmult_comm (inject_Z (parts * q))).
  apply Qmult_le_compat_r; [apply floors_below |].
  change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. nia.
Qed.

Lemma cost_of_below : forall P, incl P groups -> (inject_Z (cost_of P) <= units * sse_of P)%Q.
Proof.
  intros P inside. unfold cost_of, sse_of. rewrite <- total_whole, <- total_scaled.
  apply total_le. intros. apply cost_below. auto.
Qed.

(* Lemma 4 *)

Definition target : Z := parts * (Qceiling (value * per_unit * inject_Z L) - 1).

Definition cheaper (P : list group) : Prop := partition P /\ (sse_of P < value)%Q.

Lemma cheaper_costs_at_most_the_target : forall P, cheaper P -> cost_of P <= target.
Proof.
  intros P [[_ inside] less].
  destruct (sum_multiple _ cost parts P (fun G _ => cost_multiple G)) as [z product].
  fold (cost_of P) in product. pose proof (cost_of_below P inside) as below.
  assert (strict : (inject_Z (cost_of P) < units * value)%Q).
  { eapply Qle_lt_trans; [exact below |].
    rewrite (Qmult_comm units), (Qmult_comm units).
    apply Qmult_lt_compat_r; [apply units_positive | assumption]. }
  assert (small : (inject_Z z < value * per_unit * inject_Z L)%Q).
  { rewrite product, inject_Z_mult in strict. unfold units in strict.
    rewrite inject_Z_mult in strict.
    assert (same : (per_unit * (inject_Z L * inject_Z parts) * value
                    == value * per_unit * inject_Z L * inject_Z parts)%Q) by ring.
    rewrite same in strict.
    apply Qmult_lt_r in strict; [assumption |].
    change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
  assert (z < Qceiling (value * per_unit * inject_Z L)).
  { rewrite Zlt_Qlt. eapply Qlt_le_trans; [exact small | apply Qle_ceiling]. }
  unfold target. rewrite product. nia.
Qed.

(* Lemma 5 *)

Lemma sizes_add_up : forall P, partition P -> sum (map size P) = Z.of_nat n.
Proof.
  intros P [covers _]. rewrite <- (seq_length n 0), <- (Permutation_length covers).
  clear covers. induction P; simpl; [reflexivity |].
  rewrite IHP, app_length. unfold size. lia.
Qed.

Lemma at_most_so_many : forall P, partition P -> Z.of_nat (length P) <= Z.of_nat n / k.
Proof.
  intros P valid. rewrite <- (sizes_add_up P valid). destruct valid as [_ inside].
  apply Z.div_le_lower_bound; [lia |].
  rewrite <- sum_constant. apply sum_le. intros. apply sizes. auto.
Qed.

Lemma at_least_so_many : forall P, partition P ->
  - (- Z.of_nat n / largest) <= Z.of_nat (length P).
Proof.
  intros P valid. destruct P as [| G P].
  - pose proof (sizes_add_up [] valid) as zero. change (0 = Z.of_nat n) in zero.
    rewrite <- zero. change (- 0) with 0. rewrite Zdiv_0_l. simpl. lia.
  - assert (0 < largest).
    { destruct valid as [_ inside]. pose proof (sizes G (inside G (or_introl eq_refl))). lia. }
    assert (- Z.of_nat (length (G :: P)) <= - Z.of_nat n / largest); [| lia].
    apply Z.div_le_lower_bound; [assumption |].
    rewrite <- (sizes_add_up _ valid). destruct valid as [_ inside].
    assert (sum (map size (G :: P)) <= sum (map (fun _ => largest) (G :: P))).
    { apply sum_le. intros. apply sizes. auto. }
    rewrite sum_constant in H0. lia.
Qed.

(* Lemma 7 *)

Definition everyone : list nat := seq 0 n.

Definition paid_to (c : cut) (G : group) : Z :=
  price c * (sum (map (weight c) G) / divisor c).

Definition pays (d : duals) (G : group) : Z :=
  sum (map (prices d) G) + (fewest d + most d) + sum (map (fun c => paid_to c G) (cuts d)).

Definition proves (d : duals) : Z :=
  sum (map (prices d) everyone)
  + (fewest d * - (- Z.of_nat n / largest) + most d * (Z.of_nat n / k))
  + sum (map (fun c => price c * ((sum (map (weight c) everyone) + elsewhere c) / divisor c)) (cuts d)).

Definition right_cut (c : cut) : Prop := price c <= 0 /\ 1 <= divisor c /\ 0 <= elsewhere c.

Definition right_signs (d : duals) : Prop :=
  0 <= fewest d /\ most d <= 0 /\ (forall c, In c (cuts d) -> right_cut c).

Definition reduced (d : duals) (G : group) : Z := cost G - pays d G.

Lemma all_records : forall (f : nat -> Z) P, partition P ->
  sum (map f everyone) = sum (map (fun G => sum (map f G)) P).
Proof.
  intros f P [covers _]. rewrite <- sum_concat.
  apply sum_permutation, Permutation_map, Permutation_sym. exact covers.
Qed.

Lemma sums_exchange : forall (A B : Type) (f : A -> B -> Z) (a : list A) (b : list B),
  sum (map (fun x => sum (map (f x) b)) a) = sum (map (fun y => sum (map (fun x => f x y) a)) b).
Proof.
  induction a; simpl; intros.
  - rewrite (sum_constant B 0). lia.
  - rewrite IHa, <- sum_plus. reflexivity.
Qed.

Lemma cut_is_valid : forall c P, partition P -> right_cut c ->
  price c * ((sum (map (weight c) everyone) + elsewhere c) / divisor c)
  <= sum (map (paid_to c) P).
Proof.
  intros c P valid [negative [positive other]].
  unfold paid_to. rewrite (all_records (weight c) P valid).
  set (w := fun G : group => sum (map (weight c) G)).
  assert (scaled : sum (map (fun G => price c * (w G / divisor c)) P)
                   = price c * sum (map (fun x => x / divisor c) (map w P))).
  { rewrite map_map. clear. induction P; simpl; [lia | rewrite IHP; lia]. }
  change (sum (map (fun G : group => price c * (sum (map (weight c) G) / divisor c)) P))
    with (sum (map (fun G => price c * (w G / divisor c)) P)).
  rewrite scaled.
  assert (sum (map (fun x => x / divisor c) (map w P))
          <= (sum (map w P) + elsewhere c) / divisor c).
  { eapply Z.le_trans; [apply rank_1; lia | apply Z.div_le_mono; lia]. }
  apply Z.mul_le_mono_nonpos_l; assumption.
Qed.

Theorem weak_duality : forall d P, partition P -> right_signs d ->
  proves d <= sum (map (pays d) P).
Proof.
  intros d P valid [more [less right]]. unfold proves, pays.
  rewrite !sum_plus, !sum_constant, <- (all_records _ P valid), sums_exchange.
  pose proof (at_least_so_many P valid). pose proof (at_most_so_many P valid).
  assert (sum (map (fun c => price c * ((sum (map (weight c) everyone) + elsewhere c) / divisor c)) (cuts d))
          <= sum (map (fun c => sum (map (fun G => paid_to c G) P)) (cuts d))).
  { apply sum_le. intros. apply cut_is_valid; auto. }
  pose proof (Z.mul_le_mono_nonneg_l _ _ (fewest d) more H).
  pose proof (Z.mul_le_mono_nonpos_l _ _ (most d) less H0).
  lia.
Qed.

(* Lemma 8 *)

Lemma cost_and_reduced : forall d P,
  cost_of P = sum (map (pays d) P) + sum (map (reduced d) P).
Proof.
  intros. unfold cost_of. rewrite <- sum_plus. f_equal. apply map_ext. intros. unfold reduced. lia.
Qed.

Lemma dual_bound : forall d P, partition P -> right_signs d ->
  (forall G, In G P -> 0 <= reduced d G) -> proves d <= cost_of P.
Proof.
  intros d P valid right positive. rewrite (cost_and_reduced d).
  pose proof (weak_duality d P valid right). pose proof (sum_nonnegative _ _ _ positive). lia.
Qed.

Theorem reduced_cost_filter : forall d P G, partition P -> right_signs d ->
  (forall G, In G P -> 0 <= reduced d G) -> cost_of P <= target -> In G P ->
  reduced d G <= target - proves d.
Proof.
  intros d P G valid right positive cheap member.
  pose proof (weak_duality d P valid right). pose proof (cost_and_reduced d P).
  pose proof (part_of_sum _ (reduced d) P G positive member). lia.
Qed.

(* The checker of a tree. `None`: rejected. *)

Variable search : list group -> duals -> Z -> bool.

Hypothesis search_to_the_end : forall C d budget, search C d budget = true ->
  forall P, partition P -> incl P C -> sum (map (reduced d) P) <= budget ->
  (value <= sse_of P)%Q.

Definition signs (d : duals) : bool :=
  (0 <=? fewest d) && (most d <=? 0)
  && forallb (fun c => (price c <=? 0) && (1 <=? divisor c) && (0 <=? elsewhere c)) (cuts d).

Definition has (a : nat) (G : group) : bool := existsb (Nat.eqb a) G.
Definition both_or_neither (a b : nat) (G : group) : bool := eqb (has a G) (has b G).
Definition not_both (a b : nat) (G : group) : bool := negb (has a G && has b G).

Definition within (d : duals) (C : list group) : list group :=
  filter (fun G => reduced d G <=? target - proves d) C.

Definition none_negative (d : duals) (C : list group) : bool :=
  forallb (fun G => 0 <=? reduced d G) C.

(* Duals, then what follows for the groups within the gap. *)
Definition after (d : duals) (C : list group) (what : list group -> option bound) : option bound :=
  if signs d && none_negative d C then
    if target <? proves d then Some (Whole (proves d))
    else option_map (greater (proves d)) (what (within d C))
  else None.

Definition begun (d : option duals) (C : list group) (what : list group -> option bound) :=
  match d with
  | Some d => after d C what
  | None => option_map (greater 0) (what C)
  end.

Fixpoint check (t : node) (C : list group) : option bound :=
  match t with
  | Leaf d => begun d C (fun _ => Some (Whole 0))
  | Infeasible d =>
      if signs d && (0 <? proves d) && forallb (fun G => pays d G <=? 0) C
      then Some Closed else None
  | Searched d =>
      after d C (fun C => if search C d (target - proves d) then Some Closed else None)
  | Next d rest => begun d C (check rest)
  | Divided d a b joined separated =>
      begun d C (fun C =>
        match check joined (filter (both_or_neither a b) C),
              check separated (filter (not_both a b) C) with
        | Some x, Some y => Some (lesser x y)
        | _, _ => None
        end)
  end.

(* Lemma 11 *)

Definition holds (b : bound) (P : list group) : Prop :=
  match b with Whole b => b <= cost_of P | Closed => False end.

Definition sound (C : list group) (b : bound) : Prop :=
  forall P, cheaper P -> incl P C -> holds b P.

Lemma greater_sound : forall C b c, sound C (Whole b) -> sound C c -> sound C (greater b c).
Proof.
  intros C b [c |] first second P better inside; simpl.
  - pose proof (first P better inside). pose proof (second P better inside). simpl in *. lia.
  - exact (second P better inside).
Qed.

Lemma signs_right : forall d, signs d = true -> right_signs d.
Proof.
  unfold signs, right_signs, right_cut. intros d yes.
  repeat rewrite andb_true_iff in yes. destruct yes as [[f g] all].
  rewrite forallb_forall in all. repeat split; try lia;
    intros; specialize (all c H); lia.
Qed.

Lemma zero_sound : forall C, sound C (Whole 0).
Proof.
  intros C P [[_ inside] _] _. simpl. apply sum_nonnegative. intros. apply cost_nonnegative. auto.
Qed.

Lemma after_sound : forall d C what b, after d C what = Some b ->
  (forall C b, what C = Some b -> (forall P, cheaper P -> incl P C -> cost_of P <= target ->
     sum (map (reduced d) P) <= target - proves d -> holds b P)) ->
  sound C b.
Proof.
  unfold after. intros d C what b accepted follows P better inside.
  destruct (signs d && none_negative d C) eqn:right; [| discriminate].
  apply andb_prop in right. destruct right as [right positive].
  apply signs_right in right.
  assert (cheap := cheaper_costs_at_most_the_target P better).
  assert (positive_in_P : forall G, In G P -> 0 <= reduced d G).
  { unfold none_negative in positive. rewrite forallb_forall in positive.
    intros G member. specialize (positive G (inside G member)). lia. }
  pose proof (dual_bound d P (proj1 better) right positive_in_P) as first.
  destruct (target <? proves d) eqn:over.
  - injection accepted as <-. exact first.
  - destruct (what (within d C)) as [c |] eqn:rest; [| discriminate].
    injection accepted as <-.
    assert (kept : incl P (within d C)).
    { intros G member. unfold within. rewrite filter_In. split; [auto |].
      pose proof (reduced_cost_filter d P G (proj1 better) right positive_in_P cheap member). lia. }
    assert (sum (map (reduced d) P) <= target - proves d).
    { pose proof (weak_duality d P (proj1 better) right). pose proof (cost_and_reduced d P). lia. }
    pose proof (follows _ _ rest P better kept cheap H) as second.
    destruct c; simpl in *; [lia | assumption].
Qed.

Lemma begun_sound : forall d C what b, begun d C what = Some b ->
  (forall C b, what C = Some b -> sound C b) -> sound C b.
Proof.
  intros [d |] C what b accepted follows; simpl in accepted.
  - eapply after_sound; [exact accepted |]. intros. eapply follows; eassumption.
  - destruct (what C) as [c |] eqn:rest; [| discriminate]. injection accepted as <-.
    apply greater_sound; [apply zero_sound | apply follows; exact rest].
Qed.

Lemma only_one : forall P G H a, partition P -> In G P -> In H P -> In a G -> In a H -> G = H.
Proof.
  intros P G H a [covers _] in_G in_H a_G a_H.
  assert (once : NoDup (concat P)).
  { eapply Permutation_NoDup; [apply Permutation_sym; exact covers | apply seq_NoDup]. }
  clear covers. induction P as [| F P]; [contradiction |].
  simpl in once.
  assert (apart : forall x, In x F -> In x (concat P) -> False).
  { clear - once. induction F; simpl in *; [contradiction |].
    inversion once; subst. intros x [same | member] other.
    - subst. apply H1. apply in_or_app. auto.
    - eapply IHF; eauto. }
  assert (tail : NoDup (concat P)).
  { clear - once. induction F; simpl in *; [assumption | inversion once; auto]. }
  destruct in_G as [<- | in_G], in_H as [<- | in_H]; auto.
  - exfalso. apply (apart a a_G). apply in_concat. eauto.
  - exfalso. apply (apart a a_H). apply in_concat. eauto.
Qed.

Lemma has_In : forall a G, has a G = true <-> In a G.
Proof.
  intros. unfold has. rewrite existsb_exists. split.
  - intros [x [member same]]. apply Nat.eqb_eq in same. subst. assumption.
  - intros. exists a. rewrite Nat.eqb_refl. auto.
Qed.

(* Two records share a group, or they do not. *)
Lemma division : forall P C a b, partition P -> incl P C ->
  incl P (filter (both_or_neither a b) C) \/ incl P (filter (not_both a b) C).
Proof.
  intros P C a b valid inside.
  destruct (existsb (fun G => has a G && has b G) P) eqn:shared.
  - left. apply existsb_exists in shared. destruct shared as [G [in_P both]].
    apply andb_prop in both. destruct both as [has_a has_b]. apply has_In in has_a, has_b.
    intros H member. rewrite filter_In. split; [auto |]. unfold both_or_neither.
    destruct (has a H) eqn:a_H, (has b H) eqn:b_H; auto.
    + apply has_In in a_H. assert (G = H) by (apply (only_one P G H a); assumption). subst.
      apply has_In in has_b. congruence.
    + apply has_In in b_H. assert (G = H) by (apply (only_one P G H b); assumption). subst.
      apply has_In in has_a. congruence.
  - right. intros H member. rewrite filter_In. split; [auto |]. unfold not_both.
    destruct (has a H && has b H) eqn:both; [| reflexivity].
    assert (existsb (fun G => has a G && has b G) P = true) by (apply existsb_exists; eauto).
    congruence.
Qed.

Lemma lesser_holds : forall x y P, holds x P \/ holds y P -> holds (lesser x y) P.
Proof. intros [x |] [y |] P; simpl; intuition lia. Qed.

Theorem tree_sound : forall t C b, check t C = Some b -> sound C b.
Proof.
  induction t; intros C c accepted; simpl in accepted.
  - eapply begun_sound; [exact accepted |]. intros. injection H as <-. apply zero_sound.
  - destruct (signs d && (0 <? proves d) && forallb (fun G => pays d G <=? 0) C) eqn:right;
      [| discriminate].
    repeat rewrite andb_true_iff in right. destruct right as [[right positive] nothing].
    injection accepted as <-. intros P better inside. simpl.
    pose proof (weak_duality d P (proj1 better) (signs_right d right)).
    rewrite forallb_forall in nothing.
    assert (sum (map (pays d) P) <= sum (map (fun _ => 0) P)).
    { apply sum_le. intros G member. specialize (nothing G (inside G member)). lia. }
    rewrite sum_constant in H0. lia.
  - eapply after_sound; [exact accepted |]. simpl. intros C' b' searched P better inside _ budget.
    destruct (search C' d (target - proves d)) eqn:end_; [| discriminate].
    injection searched as <-. simpl.
    pose proof (search_to_the_end _ _ _ end_ P (proj1 better) inside budget).
    destruct better as [_ less]. lra.
  - eapply begun_sound; [exact accepted |]. intros. apply IHt. assumption.
  - eapply begun_sound; [exact accepted |]. simpl. intros C' b' halves P better inside.
    destruct (check t1 (filter (both_or_neither a b) C')) as [x |] eqn:first; [| discriminate].
    destruct (check t2 (filter (not_both a b) C')) as [y |] eqn:second; [| discriminate].
    injection halves as <-. apply lesser_holds.
    destruct (division P C' a b (proj1 better) inside).
    + left. eapply IHt1; eassumption.
    + right. eapply IHt2; eassumption.
Qed.

(* The theorem *)

Definition accepted (proof : node) (claimed : Q) : Prop :=
  match check proof groups with
  | None => False
  | Some Closed => (claimed <= value)%Q
  | Some (Whole b) =>
      if target <? b then (claimed <= value)%Q else (claimed <= inject_Z b / units)%Q
  end.

Lemma target_below_value : (inject_Z target < units * value)%Q.
Proof.
  unfold target, units. rewrite !inject_Z_mult.
  assert (step : (inject_Z (Qceiling (value * per_unit * inject_Z L) - 1)
                  < value * per_unit * inject_Z L)%Q) by apply Qceiling_lt.
  assert (same : (per_unit * (inject_Z L * inject_Z parts) * value
                  == value * per_unit * inject_Z L * inject_Z parts)%Q) by ring.
  rewrite same, Qmult_comm. apply Qmult_lt_compat_r; [| exact step].
  change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia.
Qed.

Theorem soundness : forall proof claimed, accepted proof claimed ->
  forall P, partition P -> (claimed <= sse_of P)%Q.
Proof.
  unfold accepted. intros proof claimed yes P valid.
  destruct (check proof groups) as [b |] eqn:checked; [| contradiction].
  pose proof (tree_sound _ _ _ checked) as sound_here.
  pose proof units_positive as positive.
  assert (of_units : forall b, (inject_Z b / units <= sse_of P)%Q
                     <-> (inject_Z b <= units * sse_of P)%Q).
  { intros. rewrite Qmult_comm. split; intros.
    - assert (nonzero : ~ (units == 0)%Q).
      { intro zero. rewrite zero in positive. exact (Qlt_irrefl 0 positive). }
      assert (same : (inject_Z b0 == inject_Z b0 / units * units)%Q) by (field; exact nonzero).
      rewrite same. apply Qmult_le_compat_r; [assumption | apply Qlt_le_weak; exact positive].
    - apply Qle_shift_div_r; assumption. }
  destruct (Qlt_le_dec (sse_of P) value) as [less | enough].
  - specialize (sound_here P (conj valid less) (proj2 valid)).
    destruct b as [b |]; simpl in sound_here; [| contradiction].
    pose proof (cheaper_costs_at_most_the_target P (conj valid less)).
    destruct (target <? b) eqn:over; [lia |].
    eapply Qle_trans; [exact yes |]. apply of_units.
    eapply Qle_trans; [| apply cost_of_below; apply valid].
    rewrite <- Zle_Qle. assumption.
  - destruct b as [b |]; [| lra].
    destruct (target <? b) eqn:over; [lra |].
    eapply Qle_trans; [exact yes |]. apply of_units.
    apply Qle_trans with (units * value)%Q.
    + eapply Qle_trans; [| apply Qlt_le_weak; apply target_below_value].
      rewrite <- Zle_Qle. lia.
    + rewrite (Qmult_comm units), (Qmult_comm units). apply Qmult_le_compat_r; lra.
Qed.

Corollary optimal : forall proof, accepted proof value ->
  forall P, partition P -> (value <= sse_of P)%Q.
Proof. intros proof. apply soundness. Qed.

End Instance.

(* It is not empty: the example of certificate.md is accepted, and with a price raised by 1 it is not. *)

Definition values : list Z := [0; 1; 2; 10; 11].
Definition far (i j : nat) : Q := inject_Z ((nth i values 0 - nth j values 0) ^ 2).
Definition all_groups : list group :=
  [[0;1]; [0;2]; [0;3]; [0;4]; [1;2]; [1;3]; [1;4]; [2;3]; [2;4]; [3;4];
   [0;1;2]; [0;1;3]; [0;1;4]; [0;2;3]; [0;2;4]; [0;3;4]; [1;2;3]; [1;2;4]; [1;3;4]; [2;3;4]]%nat.
Definition priced (prices : list Z) : node :=
  Leaf (Some {| prices := fun i => nth i prices 0; fewest := 0; most := -6; cuts := [] |}).
Definition accepts (proof : node) : Prop :=
  accepted 5 2 3 all_groups far 1 1 6 (5 # 2) (fun _ _ _ => false) proof (5 # 2).

Example five_records : accepts (priced [9; 0; 9; 4; 5]).
Proof. vm_compute. discriminate. Qed.

Example too_dear : ~ accepts (priced [9; 0; 9; 4; 6]).
Proof. vm_compute. exact (fun no => no). Qed.

Print Assumptions soundness.
