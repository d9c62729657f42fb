(* Copyright of nobody. *)

(** Carts and what is in them. More words. *)

open Base
open! Shop.Money
module L = Stdlib.List
include Countable

(** A cart. *)
type t = {
  items : item list; (** What is in it. *)
  mutable total : int;
  owner : Owner.t;
}

and item =
  | Apple
  | Pear of int * string (** Of some weight. *)
  | Other of { weight : float; name : string }

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type colour = [ `Red | `Green ]
type alias = Shop.Item.t
type abstract
type _ gadt = Int : int -> int gadt | Bool : bool gadt
type open_type = ..
type open_type += Added

exception Not_found_here of string
exception Again = Not_found

external fast : int -> int = "shop_fast"

(** How many fit. *)
let limit = 3

let name, (left, right) = "x", (1, 2)

(** Opens a cart.

    With a path. *)
let rec open_cart ?(mode = default ()) ~path size =
  let item = Item.make path in
  Item.weigh item;
  let helper2 x = helper x in
  helper2 limit |> ignore;
  List.map (fun i -> weigh i) size;
  if size > 0 then close_cart mode else Shop.Ledger.write item

and close_cart = function
  | Apple -> helper 1
  | Pear (w, _) when w > limit -> raise (Not_found_here "x")
  | _ -> 0

let ( + ) a b = helper a b
let (>>=) = bind
let helper x = x [@@inline]
let () = Printf.printf "%d" (helper 1)
let _ = helper 2
let _unused = 1
let typed : int -> int = fun x -> helper x
let%test "adds items" = helper 1 = 1
let%expect_test "prints" = print_int (helper 1)

module type Sized = sig
  type elt
  val size : elt -> int
  (** How big. *)
end

(** Maps of carts. *)
module Make (K : Sized) (V : Shop.Value) : Sized with type elt = K.elt = struct
  type elt = K.elt
  let size x = K.size x
  module Deep = struct
    let here () = size 1
  end
end

module Carts = Make (Key) (struct type t = int end)
module rec Even : Sized = struct type elt = int let size _ = Odd.size 1 end
and Odd : Sized = struct type elt = int let size _ = Even.size 1 end

class type countable = object
  method count : int
end

(** Counts. *)
class virtual counter (start : int) = object (self)
  inherit base start as super
  val mutable value = start
  method get = value
  method private hidden = self#get
  method virtual later : int
  method add n = value <- value + helper n; self#get; super#add n
  initializer helper 1
end

let obj = object method m = 1 end
let main () = let open Shop in run (new counter 1)
let () = main ()
