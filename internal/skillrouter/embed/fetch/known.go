// Package fetch gets published models from a hub: at a pinned revision, each
// file of a known length and SHA-256, so that neither the hub nor what stands
// between can change what a model says.
package fetch

import (
	"fmt"
	"strings"
)

// Endpoint is the hub that is asked where nobody names another.
const Endpoint = "https://huggingface.co"

// A File is one file of a model.
type File struct {
	Name   string
	Size   int64
	SHA256 string
}

// A Model is what can be got by name.
type Model struct {
	Name       string
	Repository string
	Revision   string // a commit
	Licence    string
	Pooling    string // "cls" or "mean", as its maker's description says
	MaxTokens  int
	Prefix     string // what its maker wants before a query
	Files      []File
}

var known = []Model{
	{
		Name: "bge-small-en-v1.5", Repository: "BAAI/bge-small-en-v1.5", Revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
		Licence: "mit", Pooling: "cls", MaxTokens: 512, Prefix: "Represent this sentence for searching relevant passages: ",
		Files: []File{
			{"config.json", 743, "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750"},
			{"tokenizer.json", 711396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"},
			{"model.safetensors", 133466304, "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad"},
		},
	},
	{
		Name: "all-MiniLM-L6-v2", Repository: "sentence-transformers/all-MiniLM-L6-v2", Revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
		Licence: "apache-2.0", Pooling: "mean", MaxTokens: 256,
		Files: []File{
			{"config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
			{"tokenizer.json", 466247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
			{"model.safetensors", 90868376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
		},
	},
}

// Size is the bytes of all files.
func (m Model) Size() (n int64) {
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// Known lists the models that can be got by name, the default one first.
func Known() []Model { return known }

// Find finds a model of a list by its name, with or without its maker's.
func Find(list []Model, name string) (Model, error) {
	var names []string
	for _, m := range list {
		if name == m.Name || name == m.Repository {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Model{}, fmt.Errorf("no model %q is known; %s can be had", name, strings.Join(names, ", "))
}
