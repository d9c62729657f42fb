# Helpers of the shop.

{ lib, pkgs ? import <nixpkgs> { } }:
let
  # Joins words.
  join = sep: words: lib.concatStringsSep sep words;
  inherit (lib) head;
  hidden = { a = 1; };
in
rec {
  inherit join;
  greet = { name, loud ? false }: if name == "x" then join " " [ name ] else "hi; ${name}";
  quoted = v: ''"${lib.escape [ ''"}'' ] v}"'';
  version = "1";
}
