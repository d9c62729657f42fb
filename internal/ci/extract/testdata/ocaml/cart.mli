(** The interface of carts. More. *)

open Base

type t
(** A cart. *)

type item = Apple | Pear of int

exception Full

(** Opens a cart. *)
val open_cart : ?mode:int -> path:string -> t

val close_cart : t -> unit
(** Closes it. Really. *)

external fast : int -> int = "shop_fast"

val ( + ) : int -> int -> int

module Make (K : Sized) : sig
  val size : K.elt -> int
end

module type S = sig
  val get : t -> item
end

module Sub : S
include Sized
class counter : int -> object method get : int end
