package resolve

import (
	"path"
	"strings"
)

// The functions below list where the file may stand that a path names, in the
// order in which they count.

// styleFiles are those of a style sheet: endings and the underscore of a
// partial sheet may be left out, and a folder stands for its index.
func styleFiles(p string) []string {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "~"), "@/")
	dir, base := path.Split(p)
	var out []string
	if path.Ext(base) != "" {
		out = append(out, p, dir+"_"+base)
	}
	for _, end := range []string{".scss", ".less", ".css"} {
		out = append(out, p+end, dir+"_"+base+end)
	}
	return append(out, p+"/_index.scss", p+"/index.scss")
}

// terraformFiles are those of a module's folder. The file that has its
// outline stands for it.
func terraformFiles(p string) []string {
	p = strings.Replace(p, "//", "/", 1)
	var out []string
	for _, base := range []string{"main.tf", "variables.tf", "outputs.tf", "versions.tf", "main.tofu", "terragrunt.hcl"} {
		out = append(out, strings.TrimSuffix(p, "/")+"/"+base)
	}
	return out
}

// settingsFiles are those that a file of settings names: beside it, or from
// the repository's root; a folder stands for its action.
func settingsFiles(p string) []string {
	plain := strings.TrimPrefix(strings.TrimPrefix(p, "./"), "/")
	out := []string{plain}
	if relative(p) {
		out = []string{p, plain}
	}
	for _, base := range []string{"action.yml", "action.yaml", "kustomization.yaml", "Dockerfile"} {
		out = append(out, plain+"/"+base)
	}
	return out
}

// pageFiles are those that a page loads.
func pageFiles(p string) []string {
	plain := strings.TrimPrefix(p, "/")
	if plain != p {
		return []string{plain, "public/" + plain, "static/" + plain}
	}
	return []string{"./" + strings.TrimPrefix(p, "./")}
}

// nixFiles are those of a path; a folder stands for its default.nix.
func nixFiles(p string) []string {
	p = strings.TrimSuffix(p, "/.")
	return []string{p, strings.TrimSuffix(p, "/") + "/default.nix"}
}
