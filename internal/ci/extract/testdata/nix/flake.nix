{
  description = "A shop.";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs";
  inputs = {
    utils = { url = "github:numtide/flake-utils"; };
  };

  # What others can use.
  outputs = { self, nixpkgs, ... }@inputs:
    let
      system = "x86_64-linux";
      pkgs = import nixpkgs { inherit system; };
    in {
      packages.${system} = {
        # The program itself.
        shop = pkgs.callPackage ./nix/shop.nix { };
        default = self.packages.${system}.shop;
      };
      devShells."x86_64-linux".default = with pkgs; mkShell {
        shellHook = ''
          echo "${system}" '''quoted''' ''${no}
          trap = "not an attribute";
        '';
      };
      overlays.default = final: prev: { shop = 1; };
      nixosModules.shop = import ./modules;
    };
}
