package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/fetch"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
)

func modelImportVerb() command.Verb {
	return command.Verb{
		Name: "model import", Synopsis: "PATH [--name NAME] [--precision int8|f32]", Summary: "installs a model that lies on this machine",
		Help: `Reads a model as its maker published it and packs it into one file, which every
later run maps into memory. PATH is a directory that holds config.json,
model.safetensors and tokenizer.json or vocab.txt; a .safetensors file beside
which the others lie; or a wheel, jar or zip file with one model in it. Encoders
of BERT's shape and static tables of vectors can be used. Where there is no
safetensors file, the weights of an ONNX graph that is not quantised do as well.

Large weights are stored in bytes: a quarter of the size, twice the speed, and
vectors that differ by less than a thousandth. --precision f32 keeps them whole.`,
		Examples: []string{"mega-tron model import ~/models/bge-small-en-v1.5", "mega-tron model import all_minilm.whl --name all-MiniLM-L6-v2", "mega-tron model import ./gte-small --pooling mean --licence mit"},
		Min:      1, Max: 1,
		Setup: func(f *flag.FlagSet) command.Run {
			var o hub.Options
			modelFlags(f, &o)
			f.StringVar(&o.Pooling, "pooling", "", "`HOW` tokens become one vector, cls or mean; the model's own by default")
			f.StringVar(&o.Licence, "licence", "", "`NAME` of the model's licence, where its files do not say")
			f.IntVar(&o.Heads, "heads", 0, "the model has `N` attention heads: for weights without config.json")
			f.IntVar(&o.MaxTokens, "max-tokens", 0, "read at most `N` tokens of a text; the model's own limit by default")
			f.Func("query-prefix", "`TEXT` that the model wants before a query; the model's own by default", func(s string) error {
				o.Prefix = &s
				return nil
			})
			asJSON := f.Bool("json", false, "print JSON")
			return func(_ context.Context, p command.Process, args []string) error {
				if err := checkModelFlags(o); err != nil {
					return err
				}
				c, err := settings(p)
				if err != nil {
					return err
				}
				return importModel(c, p, p.Abs(args[0]), o, *asJSON)
			}
		},
	}
}

// modelFlags are those that import and fetch share.
func modelFlags(f *flag.FlagSet, o *hub.Options) {
	f.StringVar(&o.Name, "name", "", "install it as `NAME`")
	f.StringVar(&o.Precision, "precision", "int8", "store large weights as `KIND`, int8 or f32")
}

func checkModelFlags(o hub.Options) error {
	switch {
	case o.Precision != "int8" && o.Precision != "f32":
		return command.Usage("--precision %s is neither int8 nor f32", o.Precision)
	case o.Pooling != "" && o.Pooling != "cls" && o.Pooling != "mean":
		return command.Usage("--pooling %s is neither cls nor mean", o.Pooling)
	case o.MaxTokens < 0 || o.Heads < 0:
		return command.Usage("--max-tokens and --heads are not negative")
	}
	return nil
}

func importModel(c *config.Config, p command.Process, path string, o hub.Options, asJSON bool) error {
	checkpoint, err := hub.Open(path)
	if err != nil {
		return err
	}
	defer checkpoint.Close()
	progress := p.Progress()
	o.Step = func(done, total int) { progress.Step("packing layer", done, total) }
	installed, err := models.Install(c, checkpoint, o)
	progress.Done()
	if err != nil {
		return err
	}
	if asJSON {
		return p.WriteJSON(rowOf(installed))
	}
	fmt.Fprint(p.Stdout, "installed ")
	printModel(p.Stdout, installed)
	return nil
}

// catalogue lists the models that can be fetched by name.
var catalogue = fetch.Known

func modelFetchVerb() command.Verb {
	return command.Verb{
		Name: "model fetch", Synopsis: "[NAME]", Summary: "downloads a known model and installs it",
		Help: `Gets a model from the hub, at a pinned revision, and refuses a file whose
SHA-256 is not the pinned one. A download that stopped goes on where it was.
HTTPS_PROXY, HTTP_PROXY and NO_PROXY are heard. Without NAME it is ` + models.Default + `.
Known: ` + strings.Join(knownNames(), ", ") + `.`,
		Examples: []string{"mega-tron model fetch", "mega-tron model fetch all-MiniLM-L6-v2", "mega-tron model fetch --endpoint https://hub.example.com"},
		Max:      1,
		Setup: func(f *flag.FlagSet) command.Run {
			var o hub.Options
			modelFlags(f, &o)
			endpoint := f.String("endpoint", "", "`URL` of the hub, or of a mirror; HF_ENDPOINT names one too")
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error {
				if err := checkModelFlags(o); err != nil {
					return err
				}
				c, err := settings(p)
				if err != nil {
					return err
				}
				known, err := fetch.Find(catalogue(), append(args, models.Default)[0])
				if err != nil {
					return command.Usage("%v", err)
				}
				dir, err := download(ctx, c, p, known, *endpoint)
				if err != nil {
					return err
				}
				o.Pooling, o.Licence, o.MaxTokens, o.Prefix = known.Pooling, known.Licence, known.MaxTokens, &known.Prefix
				if o.Name == "" {
					o.Name = known.Name
				}
				if err := importModel(c, p, dir, o, *asJSON); err != nil {
					return err
				}
				return os.RemoveAll(dir) // it is packed, and can be fetched again
			}
		},
	}
}

// download gets a model's files and returns the directory that holds them.
func download(ctx context.Context, c *config.Config, p command.Process, m fetch.Model, endpoint string) (string, error) {
	for _, otherwise := range []string{p.Getenv("HF_ENDPOINT"), fetch.Endpoint} {
		if endpoint == "" {
			endpoint = otherwise
		}
	}
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", command.Usage("%q is no address of a hub: it begins with https://", endpoint)
	}
	progress := p.Progress()
	defer progress.Done()
	dir := filepath.Join(c.CacheDir(), "downloads", m.Name+"-"+m.Revision[:12])
	f := fetch.Fetcher{
		Client: fetch.Client(p.Getenv), Endpoint: endpoint, Tries: 5, Pause: time.Second,
		Step: func(name string, done, total int64) { progress.Step(name+": MB", int(done>>20), int(total>>20)) },
	}
	return dir, f.Model(ctx, m, dir)
}

func knownNames() (names []string) {
	for _, m := range catalogue() {
		names = append(names, m.Name)
	}
	return names
}

func modelListVerb() command.Verb {
	return command.Verb{
		Name: "model list", Synopsis: "[--json]", Summary: "lists the installed models, and those that can be fetched",
		Help: `A star marks the model that is used: MEGA_EMBEDDER_MODEL or [embedder] model of
config.toml names it; else it is ` + models.Default + `.`,
		Examples: []string{"mega-tron model list", "mega-tron model list --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(_ context.Context, p command.Process, _ []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				list, err := models.List(c)
				if err != nil {
					return err
				}
				used, _ := models.Find(c)
				if *asJSON {
					return writeModels(p, list, used)
				}
				printModels(p.Stdout, list, used)
				return nil
			}
		},
	}
}

func modelVerifyVerb() command.Verb {
	return command.Verb{
		Name: "model verify", Synopsis: "[NAME|PATH]", Summary: "checks every byte of an installed model",
		Help: `Opening a model checks what the program relies on, but not its weights, which
takes longer. This does: every section is compared with the hash that stands in
the pack's header. Without NAME the model that is used is checked.`,
		Examples: []string{"mega-tron model verify", "mega-tron model verify ./bge-small-en-v1.5.pack"},
		Max:      1,
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(_ context.Context, p command.Process, args []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				name := ""
				if len(args) == 0 {
					if name, err = models.Find(c); err != nil {
						return err
					}
				} else if name = args[0]; filepath.Ext(name) == models.Extension {
					name = p.Abs(name)
				}
				verified, err := models.Verify(c, name)
				if err != nil {
					return err
				}
				if *asJSON {
					return p.WriteJSON(rowOf(verified))
				}
				fmt.Fprint(p.Stdout, "whole: ")
				printModel(p.Stdout, verified)
				return nil
			}
		},
	}
}

// A modelRow is a model in JSON.
type modelRow struct {
	Name      string `json:"name"`
	Path      string `json:"path,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Bytes     int64  `json:"bytes"`
	Kind      string `json:"kind,omitempty"`
	Precision string `json:"precision,omitempty"`
	Dim       int    `json:"dim,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"`
	Pooling   string `json:"pooling,omitempty"`
	Prefix    string `json:"query_prefix,omitempty"`
	Licence   string `json:"licence,omitempty"`
	Used      bool   `json:"used"`
	Installed bool   `json:"installed"`
	Error     string `json:"error,omitempty"`
}

func rowOf(i models.Installed) modelRow {
	row := modelRow{
		Name: i.Name, Path: i.Path, Hash: i.Hash, Bytes: i.Size, Kind: i.Meta.Kind, Precision: i.Meta.Precision,
		Dim: i.Meta.Shape.Hidden, MaxTokens: i.Meta.MaxTokens, Pooling: i.Meta.Pooling, Prefix: i.Meta.Prefix, Licence: i.Meta.Licence, Installed: true,
	}
	if i.Error != nil {
		row.Error = line(i.Error.Error())
	}
	return row
}

func writeModels(p command.Process, list []models.Installed, used string) error {
	rows := []modelRow{}
	for _, i := range list {
		row := rowOf(i)
		row.Used = i.Path == used
		rows = append(rows, row)
	}
	for _, m := range toFetch(list) {
		rows = append(rows, modelRow{Name: m.Name, Bytes: m.Size(), MaxTokens: m.MaxTokens, Pooling: m.Pooling, Prefix: m.Prefix, Licence: m.Licence})
	}
	return p.WriteJSON(rows)
}

func printModels(w io.Writer, list []models.Installed, used string) {
	for _, i := range list {
		mark := " "
		if i.Path == used {
			mark = "*"
		}
		fmt.Fprint(w, mark, " ")
		printModel(w, i)
	}
	for _, m := range toFetch(list) {
		fmt.Fprintf(w, "  %s: not installed; mega-tron model fetch %s downloads %d MB, licence %s\n", m.Name, m.Name, m.Size()>>20, m.Licence)
	}
}

// toFetch are the known models that are not installed.
func toFetch(list []models.Installed) (missing []fetch.Model) {
	there := map[string]bool{}
	for _, i := range list {
		there[i.Name] = true
	}
	for _, m := range catalogue() {
		if !there[m.Name] {
			missing = append(missing, m)
		}
	}
	return missing
}

func printModel(w io.Writer, i models.Installed) {
	if i.Error != nil {
		fmt.Fprintf(w, "%s: cannot be used: %s\n", line(i.Name), line(i.Error.Error()))
		return
	}
	licence := i.Meta.Licence
	if licence == "" {
		licence = "unknown: ask its maker"
	}
	fmt.Fprintf(w, "%s: %s, %d values, %d tokens, %s, %.1f MB, licence %s\n    %s\n    %s\n", line(i.Name), i.Meta.Kind, i.Meta.Shape.Hidden,
		i.Meta.MaxTokens, i.Meta.Precision, float64(i.Size)/(1<<20), line(licence), line(i.Path), i.Hash)
}
