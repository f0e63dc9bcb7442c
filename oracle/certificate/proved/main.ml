(* Reads certificates (JSON) and tables (CSV) and asks the proved program, `Kernel.verdict`.

     proved CERTIFICATE.json DATA.csv [DELIMITER]
     proved --many [DELIMITER]             lines "CERTIFICATE<TAB>DATA" on standard input

   What is here is trusted, not proved: that the values read are those of the files, and that the
   digest and the seal are right. docs/certificate.md describes both files. *)

exception Rejected of string

let reject text = raise (Rejected text)
let demand condition text = if not condition then reject text

let most_packed, most_bytes, most_times, allowed = 200_000_000, 500_000_000, 110, 1 lsl 20
let most_digits, most_objects, most_keys, deepest = 2200, 100_000, 30, 300
let most_entry, most_vector = 1_000_000, 9_000

(* SHA-256. Its constants are the first 32 bits of the fractional parts of square and cube roots. *)

let mask = 0xffffffff
let primes = [| 2; 3; 5; 7; 11; 13; 17; 19; 23; 29; 31; 37; 41; 43; 47; 53; 59; 61; 67; 71; 73; 79;
  83; 89; 97; 101; 103; 107; 109; 113; 127; 131; 137; 139; 149; 151; 157; 163; 167; 173; 179; 181;
  191; 193; 197; 199; 211; 223; 227; 229; 233; 239; 241; 251; 257; 263; 269; 271; 277; 281; 283; 293;
  307; 311 |]

let root degree prime =
  Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int prime) (32 * degree)) degree) (Z.of_int mask))

let constants = Array.map (root 3) primes

let sha256 text =
  let length = String.length text in
  let padded = Bytes.make ((length + 72) / 64 * 64) '\000' in
  Bytes.blit_string text 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded (Bytes.length padded - 8) (Int64.of_int (8 * length));
  let state = Array.map (root 2) (Array.sub primes 0 8) and w = Array.make 64 0 in
  let rotated x by = ((x lsr by) lor (x lsl (32 - by))) land mask in
  for block = 0 to (Bytes.length padded / 64) - 1 do
    for i = 0 to 15 do
      w.(i) <- Int32.to_int (Bytes.get_int32_be padded ((64 * block) + (4 * i))) land mask
    done;
    for i = 16 to 63 do
      let a = w.(i - 15) and b = w.(i - 2) in
      let s0 = rotated a 7 lxor rotated a 18 lxor (a lsr 3) in
      let s1 = rotated b 17 lxor rotated b 19 lxor (b lsr 10) in
      w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
    done;
    let v = Array.copy state in
    for i = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let s1 = rotated e 6 lxor rotated e 11 lxor rotated e 25 in
      let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
      let t1 = v.(7) + s1 + choice + constants.(i) + w.(i) in
      let s0 = rotated a 2 lxor rotated a 13 lxor rotated a 22 in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land mask;
      v.(0) <- (t1 + s0 + majority) land mask
    done;
    Array.iteri (fun i x -> state.(i) <- (state.(i) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") state))

(* Files *)

let read_channel channel most =
  let buffer = Buffer.create 65536 and piece = Bytes.create 65536 in
  let rec go () =
    let count = input channel piece 0 65536 in
    if count > 0 && Buffer.length buffer <= most then (Buffer.add_subbytes buffer piece 0 count; go ())
  in
  go ();
  demand (Buffer.length buffer <= most) (Printf.sprintf "more than %d bytes, which is the limit" most);
  Buffer.contents buffer

let text_of path =
  let channel = open_in_bin path in
  let size = in_channel_length channel in
  let content = read_channel channel most_packed in
  close_in channel;
  let packed = size >= 2 && String.sub content 0 2 = "\x1f\x8b" in
  let content =
    if not packed then content
    else
      let unpacked = Unix.open_process_args_in "gzip" [| "gzip"; "-cd"; "--"; path |] in
      let content = read_channel unpacked (min most_bytes ((most_times * size) + allowed)) in
      demand (Unix.close_process_in unpacked = Unix.WEXITED 0) "the file cannot be unpacked";
      content
  in
  let bom = String.length content >= 3 && String.sub content 0 3 = "\xef\xbb\xbf" in
  if bom then String.sub content 3 (String.length content - 3) else content

(* Texts are lists of units of UTF-16, as escapes in JSON are. *)

let each_unit add text =
  let length = String.length text in
  let rec go at =
    if at < length then begin
      let follow by =
        demand (at + by < length && Char.code text.[at + by] land 0xc0 = 0x80) "the file is not UTF-8";
        Char.code text.[at + by] land 0x3f
      in
      let first = Char.code text.[at] in
      if first < 0x80 then (add first; go (at + 1))
      else if first land 0xe0 = 0xc0 then begin
        let code = ((first land 0x1f) lsl 6) lor follow 1 in
        demand (code >= 0x80) "the file is not UTF-8"; add code; go (at + 2)
      end
      else if first land 0xf0 = 0xe0 then begin
        let code = ((first land 0xf) lsl 12) lor (follow 1 lsl 6) lor follow 2 in
        demand (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) "the file is not UTF-8";
        add code; go (at + 3)
      end
      else begin
        demand (first land 0xf8 = 0xf0) "the file is not UTF-8";
        let code =
          ((first land 7) lsl 18) lor (follow 1 lsl 12) lor (follow 2 lsl 6) lor follow 3 in
        demand (code >= 0x10000 && code <= 0x10ffff) "the file is not UTF-8";
        add (0xd800 lor ((code - 0x10000) lsr 10));
        add (0xdc00 lor ((code - 0x10000) land 0x3ff));
        go (at + 4)
      end
    end
  in
  go 0

let units_of text =
  let units = ref [] in
  each_unit (fun unit -> units := unit :: !units) text;
  List.rev !units

let quoted buffer units =
  let add unit =
    let short = [ 34, "\\\""; 92, "\\\\"; 10, "\\n"; 13, "\\r"; 9, "\\t"; 12, "\\f"; 8, "\\b" ] in
    match List.assoc_opt unit short with
    | Some escape -> Buffer.add_string buffer escape
    | None ->
      if unit >= 32 && unit < 127 then Buffer.add_char buffer (Char.chr unit)
      else Buffer.add_string buffer (Printf.sprintf "\\u%04x" unit)
  in
  Buffer.add_char buffer '"'; List.iter add units; Buffer.add_char buffer '"'

let ascii units =
  if List.for_all (fun unit -> unit < 128) units
  then String.of_seq (Seq.map Char.chr (List.to_seq units)) else "\xff"

(* JSON of integers *)

type json =
  | Int of Z.t
  | Text of int list
  | List of json list
  | Object of (string * json) list
  | Word of string

let parse text =
  let length = String.length text and at = ref 0 in
  let fail ?(found = "it is not JSON of integers") () =
    reject (Printf.sprintf "the certificate, at byte %d: %s" !at found)
  in
  let peek () = if !at < length then text.[!at] else '\000' in
  let rec blank () =
    if !at < length && String.contains " \t\n\r" text.[!at] then (incr at; blank ()) in
  let next expected = blank (); if !at < length && peek () = expected then (incr at; true) else false in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while peek () >= '0' && peek () <= '9' do incr at done;
    if !at = digits || (peek () = '.' || peek () = 'e' || peek () = 'E') then fail ();
    if !at > digits + 1 && text.[digits] = '0' then fail ();
    if !at - start > most_digits then fail ~found:"an integer of too many digits" ();
    Int (Z.of_substring text ~pos:start ~len:(!at - start))
  in
  let hexadecimal () =
    if !at + 4 > length then fail ();
    let digits = String.sub text !at 4 in
    let right = String.for_all (fun c -> String.contains "0123456789abcdefABCDEF" c) digits in
    if not right then fail ();
    at := !at + 4;
    int_of_string ("0x" ^ digits)
  in
  let string () =
    let units = ref [] in
    let rec go () =
      let start = !at in
      while !at < length && text.[!at] <> '"' && text.[!at] <> '\\' && text.[!at] >= ' ' do incr at done;
      units := List.rev_append (units_of (String.sub text start (!at - start))) !units;
      if !at >= length || text.[!at] < ' ' then fail ();
      incr at;
      if text.[!at - 1] = '\\' then begin
        let c = peek () in
        incr at;
        let simple = [ '"', 34; '\\', 92; '/', 47; 'b', 8; 'f', 12; 'n', 10; 'r', 13; 't', 9 ] in
        (match List.assoc_opt c simple with
         | Some unit -> units := unit :: !units
         | None -> if c = 'u' then units := hexadecimal () :: !units else fail ());
        go ()
      end
    in
    incr at; go (); List.rev !units
  in
  let rec value depth =
    if depth > 900 then fail ();
    blank ();
    match peek () with
    | '{' -> incr at; members depth
    | '[' -> incr at; List (if next ']' then [] else items depth [])
    | '"' -> Text (string ())
    | 't' | 'f' | 'n' -> word [ "true"; "false"; "null" ]
    | _ -> number ()
  and word = function
    | [] -> fail ()
    | one :: others ->
      let size = String.length one in
      if !at + size <= length && String.sub text !at size = one then (at := !at + size; Word one)
      else word others
  and items depth before =
    let all = value (depth + 1) :: before in
    if next ',' then items depth all else if next ']' then List.rev all else fail ()
  and members depth =
    let rec go before =
      blank ();
      if peek () <> '"' then fail ();
      let key = ascii (string ()) in
      if List.compare_length_with before most_keys >= 0 then fail ~found:"an object of too many keys" ();
      if List.mem_assoc key before then fail ~found:"an object with the same key twice" ();
      if not (next ':') then fail ();
      let all = (key, value (depth + 1)) :: before in
      if next ',' then go all else if next '}' then List.rev all else fail ()
    in
    if next '}' then Object [] else Object (go [])
  in
  let whole = value 0 in
  blank ();
  if !at < length then fail ();
  whole

let rec canonical buffer = function
  | Int z -> Buffer.add_string buffer (Z.to_string z)
  | Word text -> Buffer.add_string buffer text
  | Text units -> quoted buffer units
  | List items ->
    Buffer.add_char buffer '[';
    List.iteri (fun i x -> if i > 0 then Buffer.add_char buffer ','; canonical buffer x) items;
    Buffer.add_char buffer ']'
  | Object members ->
    Buffer.add_char buffer '{';
    List.iteri
      (fun i (key, x) ->
        if i > 0 then Buffer.add_char buffer ',';
        Buffer.add_string buffer (Printf.sprintf "\"%s\":" key);
        canonical buffer x)
      (List.sort (fun (a, _) (b, _) -> compare a b) members);
    Buffer.add_char buffer '}'

(* The certificate *)

let keys_of where names = function
  | Object members
    when List.length members = List.length names
         && List.for_all (fun name -> List.mem_assoc name members) names ->
    fun name -> List.assoc name members
  | _ -> reject (where ^ ": expected an object with its keys")

let int where = function Int z -> z | _ -> reject (where ^ ": expected an integer")
let text where = function Text units -> units | _ -> reject (where ^ ": expected a text")
let list where of_item = function
  | List items -> List.map of_item items
  | _ -> reject (where ^ ": expected a list")

(* A record, a size or a place: the proved program knows no negative ones, and no longer ones. *)
let natural where json =
  let z = int where json in
  demand (Z.sign z >= 0 && Z.fits_int z) (where ^ ": expected a number that is not negative");
  Z.to_int z

(* Records that do not exist are those beyond all others here: no group has them. *)
let record where json =
  let z = int where json in
  if Z.sign z >= 0 && Z.fits_int z then Z.to_int z else max_int

let pair where first second = function
  | List [ a; b ] -> let x = first where a in x, second where b
  | _ -> reject (where ^ ": expected a pair")

let lowest num den =
  let g = Z.gcd num den in
  { Kernel.qnum = Z.div num g; qden = Z.div den g }

let fraction where json =
  let all = ascii (text where json) in
  let digits s = s <> "" && String.length s <= most_digits && String.for_all (fun c -> c >= '0' && c <= '9') s in
  let positive = if all <> "" && all.[0] = '-' then String.sub all 1 (String.length all - 1) else all in
  let num, den = match String.index_opt positive '/' with
    | None -> positive, "1"
    | Some i -> String.sub positive 0 i, String.sub positive (i + 1) (String.length positive - i - 1)
  in
  demand (digits num && digits den && den.[0] <> '0') (where ^ ": expected \"p\" or \"p/q\"");
  let num = Z.of_string num in
  lowest (if positive == all then num else Z.neg num) (Z.of_string den)

let different where what list =
  demand (List.compare_lengths (List.sort_uniq compare list) list = 0) (where ^ ": " ^ what ^ " is there twice")

let duals where json =
  let get = keys_of where [ "unit"; "records"; "fewest"; "most"; "cuts" ] json in
  let charged = list where (pair where record int) (get "cuts") in
  different where "a cut" (List.map fst charged);
  { Kernel.unit0 = int where (get "unit"); prices = list where (int where) (get "records");
    fewest = int where (get "fewest"); most = int where (get "most");
    charged }

let costs where json =
  match ascii (text where json) with
  | "rounded" -> Kernel.Rounded
  | "exact" -> Kernel.Exact
  | _ -> reject (where ^ ".costs: expected rounded or exact")

let rec node where depth json =
  demand (depth <= deepest) (where ^ ": nested too deep");
  match json with
  | Object members when List.mem_assoc "vectors" members ->
    let get = keys_of where
      [ "filters"; "unit"; "records"; "most"; "scales"; "vectors"; "triangles" ] json in
    let named name of_item = list where of_item (get name) and number = int where in
    demand (get "filters" = List []) (where ^ ": expected vectors before groups are listed");
    let vector json =
      let v = list where number json in
      let right = List.compare_length_with v most_vector <= 0
        && List.for_all (fun entry -> Z.leq (Z.abs entry) (Z.of_int most_entry)) v in
      demand right (Printf.sprintf "%s: over the limit of %d to %d" where most_vector most_entry);
      v
    in
    let triangle = function
      | List [ i; j; h; price ] -> ((record where i, record where j), record where h), number price
      | _ -> reject (where ^ ".triangles: expected records and a price")
    in
    Kernel.Cone
      { step = number (get "unit"); levels = named "records" number; highest = number (get "most");
        scales = named "scales" number; vectors = named "vectors" vector;
        triangles = named "triangles" triangle }
  | Object members when List.mem_assoc "pair" members ->
    let get = keys_of where [ "filters"; "pair"; "together"; "apart" ] json in
    let a, b = pair where record record (get "pair") in
    let half name = node (where ^ "." ^ name) (depth + 1) (get name) in
    let together = half "together" in
    Kernel.Division (list where (duals where) (get "filters"), a, b, together, half "apart")
  | _ ->
    let get = keys_of where [ "filters"; "costs"; "duals" ] json in
    Kernel.Leaf
      (list where (duals where) (get "filters"), costs where (get "costs"), duals where (get "duals"))

let cut where = function
  | List [ records; weights; divisor ] ->
    let records = list where (natural where) records and weights = list where (int where) weights in
    demand (List.length records = List.length weights) (where ^ ": expected a weight for each record");
    different where "a record" records;
    { Kernel.members = List.combine records weights; divisor = int where divisor }
  | _ -> reject (where ^ ": expected a cut")

let certificate get =
  let named name read = read ("certificate." ^ name) (get name) in
  let natural_pairs where = list where (pair where natural natural) in
  { Kernel.k = named "k" natural; largest = named "largest" natural;
    together = named "together" natural_pairs; apart = named "apart" natural_pairs;
    partition = named "partition" (fun where -> list where (list where (natural where)));
    value = named "value" fraction; bound = named "bound" fraction;
    per_unit = named "per_unit" fraction; parts = named "parts" int;
    cuts = named "cuts" (fun where -> list where (cut where));
    proof = node "certificate.proof" 0 (get "proof") }

(* The table *)

let lines_of text delimiter =
  let lines = ref [] and line = ref [] and cell = Buffer.create 64 in
  let quotes = ref false and begun = ref false and length = String.length text in
  let end_cell () = line := Buffer.contents cell :: !line; Buffer.clear cell in
  let end_line () =
    if !begun || !line <> [] then (end_cell (); lines := List.rev !line :: !lines);
    line := []; begun := false; Buffer.clear cell
  in
  let at = ref 0 in
  while !at < length do
    let c = text.[!at] in
    if !quotes then begin
      if c <> '"' then Buffer.add_char cell c
      else if !at + 1 < length && text.[!at + 1] = '"' then (incr at; Buffer.add_char cell '"')
      else quotes := false
    end
    else if c = '"' && Buffer.length cell = 0 then (quotes := true; begun := true)
    else if c = delimiter then (end_cell (); begun := true)
    else if c = '\n' || c = '\r' then end_line ()
    else (Buffer.add_char cell c; begun := true);
    incr at
  done;
  end_line ();
  List.rev !lines

let decimal where cell =
  let fail () = reject (where ^ ": expected a number") in
  let length = String.length cell in
  if length = 0 || length > most_digits then fail ();
  let at = ref (if cell.[0] = '-' || cell.[0] = '+' then 1 else 0) in
  let digits () =
    let start = !at in
    while !at < length && cell.[!at] >= '0' && cell.[!at] <= '9' do incr at done;
    String.sub cell start (!at - start)
  in
  let before = digits () in
  let after = if !at < length && cell.[!at] = '.' then (incr at; digits ()) else "" in
  if before = "" && after = "" then fail ();
  let power =
    if !at < length && (cell.[!at] = 'e' || cell.[!at] = 'E') then begin
      incr at;
      let negative = !at < length && cell.[!at] = '-' in
      if !at < length && (cell.[!at] = '-' || cell.[!at] = '+') then incr at;
      let power = digits () in
      if power = "" || String.length power > 3 then fail ();
      let power = int_of_string ("0u" ^ power) in
      if negative then - power else power
    end
    else 0
  in
  if !at < length then fail ();
  let value = Z.of_string (before ^ after) in
  let value = if cell.[0] = '-' then Z.neg value else value in
  let shift = power - String.length after in
  let ten by = Z.pow (Z.of_int 10) by in
  if shift < 0 then lowest value (ten (- shift)) else lowest (Z.mul value (ten shift)) Z.one

let trimmed cell =
  let blank at = cell.[at] = ' ' || cell.[at] = '\t' in
  let first = ref 0 and last = ref (String.length cell) in
  while !first < !last && blank !first do incr first done;
  while !first < !last && blank (!last - 1) do decr last done;
  String.sub cell !first (!last - !first)

let table_of text names delimiter =
  each_unit ignore text;
  match lines_of text delimiter with
  | [] -> demand (names = []) "the table has no header"; []
  | header :: lines ->
    let header = List.map (fun name -> units_of (trimmed name)) header in
    let place name =
      demand (List.length (List.filter (( = ) name) header) = 1) "expected each attribute once";
      let rec find i = function x :: rest -> if x = name then i else find (i + 1) rest | [] -> 0 in
      find 0 header
    in
    let places = List.map place names in
    let row number line =
      let line = Array.of_list line in
      let where = Printf.sprintf "record %d" number in
      let cell i = if i < Array.length line then trimmed line.(i) else "" in
      List.map (fun i -> decimal where (cell i)) places
    in
    List.mapi row lines

let shown q =
  if Z.equal q.Kernel.qden Z.one then Z.to_string q.Kernel.qnum
  else Z.to_string q.Kernel.qnum ^ "/" ^ Z.to_string q.Kernel.qden

let digest names rows =
  let buffer = Buffer.create 65536 in
  Buffer.add_char buffer '[';
  List.iteri (fun i name -> if i > 0 then Buffer.add_string buffer ", "; quoted buffer name) names;
  Buffer.add_char buffer ']';
  List.iter
    (fun row -> Buffer.add_string buffer ("\n" ^ String.concat "," (List.map shown row)))
    rows;
  sha256 (Buffer.contents buffer)

let format = "refagg certificate 3"

let keys = [ "format"; "records"; "attributes"; "standardise"; "digest"; "k"; "largest"; "together";
  "apart"; "partition"; "value"; "bound"; "per_unit"; "parts"; "cuts"; "proof"; "seal" ]

let verify path table delimiter =
  let content = text_of path in
  let objects = ref 0 in
  String.iter (fun c -> if c = '{' then incr objects) content;
  demand (!objects <= most_objects) "more objects than the limit";
  let json = parse content in
  let get = keys_of "certificate" keys json in
  demand (ascii (text "certificate.format" (get "format")) = format) ("the format is not " ^ format);
  let c = certificate get in
  let members = match json with Object members -> members | _ -> [] in
  let buffer = Buffer.create (String.length content) in
  canonical buffer (Object (("seal", Text []) :: List.remove_assoc "seal" members));
  let seal = ascii (text "certificate.seal" (get "seal")) in
  demand (sha256 (Buffer.contents buffer) = seal) "certificate.seal: something was changed";
  let names = list "certificate.attributes" (text "certificate.attributes") (get "attributes") in
  different "certificate.attributes" "a name" names;
  let rows = table_of (text_of table) names delimiter in
  let how = match ascii (text "certificate.standardise" (get "standardise")) with
    | "none" -> Kernel.Plain
    | "population" -> Kernel.Population
    | "sample" -> Kernel.Sample
    | _ -> reject "certificate.standardise: expected a scale"
  in
  let same = Z.equal (int "certificate.records" (get "records")) (Z.of_int (List.length rows)) in
  let claimed = ascii (text "certificate.digest" (get "digest")) in
  demand (same && digest names rows = claimed) "certificate.digest: it is about other data";
  demand (Kernel.verdict { Kernel.rows; width = List.length names; how } c) "it is not a proof";
  let optimal = c.Kernel.bound = c.Kernel.value in
  Printf.sprintf "accepted %s %s" (if optimal then "optimal" else "bound") (shown c.Kernel.bound)

let verdict path table delimiter =
  try verify path table delimiter with
  | Rejected reason -> "rejected: " ^ reason
  | Stack_overflow -> "rejected: nested too deep"

(* The proved functions recurse as deep as lists are long, and each collection of young values looks at
   the whole stack: there should be few. *)
let () = Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 22 }

let () =
  let delimiter text = if String.length text = 1 then text.[0] else failwith "a delimiter is one character" in
  match Array.to_list Sys.argv |> List.tl with
  | "--many" :: rest ->
    let delimiter = match rest with [ text ] -> delimiter text | _ -> ',' in
    (try
       while true do
         match String.split_on_char '\t' (input_line stdin) with
         | [ path; table ] -> print_endline (verdict path table delimiter)
         | _ -> failwith "expected CERTIFICATE<TAB>DATA"
       done
     with End_of_file -> ())
  | path :: table :: rest ->
    let line = verdict path table (match rest with [ text ] -> delimiter text | _ -> ',') in
    print_endline line;
    exit (if String.sub line 0 8 = "accepted" then 0 else 1)
  | _ -> prerr_endline "usage: proved CERTIFICATE.json DATA.csv [DELIMITER]"; exit 2
