package hub

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
)

// A config is the part of config.json that decides what is computed.
type config struct {
	ModelType    string  `json:"model_type"`
	Activation   string  `json:"hidden_act"`
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Positions    int     `json:"max_position_embeddings"`
	PositionType string  `json:"position_embedding_type"`
	Epsilon      float32 `json:"layer_norm_eps"`
	Vocabulary   int     `json:"vocab_size"`
}

// unmarshal reads a file of settings; absent says that there is none.
func (c *Checkpoint) unmarshal(name string, to any) (absent bool, err error) {
	data, err := c.read(name)
	if err != nil || data == nil {
		return data == nil, err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return false, &Error{fmt.Sprintf("%s: %v", name, err), "get the model's files again"}
	}
	return false, nil
}

func (c *Checkpoint) config(f tensors, heads int) (config, error) {
	var conf config
	absent, err := c.unmarshal("config.json", &conf)
	switch {
	case err != nil:
		return conf, err
	case absent && heads > 0:
		return told(f, heads)
	case absent:
		return conf, &Error{"the model has no config.json, and the weights do not tell how many heads it has", "put the model's config.json beside its weights, or say it with --heads"}
	case kindOf(conf) == pack.Static:
		return conf, nil
	case conf.ModelType != "bert":
		return conf, &Error{fmt.Sprintf("the model is of type %q", conf.ModelType), "models of type bert and model2vec can be used"}
	case conf.Activation != "gelu":
		return conf, &Error{fmt.Sprintf("the model's activation is %q", conf.Activation), "models with gelu can be used"}
	case conf.PositionType != "" && conf.PositionType != "absolute":
		return conf, &Error{fmt.Sprintf("the model's positions are %q", conf.PositionType), "models with absolute positions can be used"}
	}
	return conf, nil
}

// told is the config of a BERT encoder whose weights tell its sizes, but for
// its heads.
func told(f tensors, heads int) (config, error) {
	w, err := unprefixed(f)
	if err != nil {
		return config{}, err
	}
	size := func(name string, i int) int {
		if shape, ok := f.Shape(w.prefix + name); ok && len(shape) == 2 {
			return shape[i]
		}
		return 0
	}
	conf := config{
		ModelType: pack.BERT, Heads: heads, Epsilon: 1e-12,
		Vocabulary: size("embeddings.word_embeddings.weight", 0), Hidden: size("embeddings.word_embeddings.weight", 1),
		Positions: size("embeddings.position_embeddings.weight", 0), Intermediate: size("encoder.layer.0.intermediate.dense.weight", 0),
	}
	for size(fmt.Sprintf("encoder.layer.%d.output.dense.weight", conf.Layers), 0) > 0 {
		conf.Layers++
	}
	return conf, nil
}

// pooling reads how the model's maker pools.
func (c *Checkpoint) pooling() (string, error) {
	var modes map[string]any
	absent, err := c.unmarshal("1_Pooling/config.json", &modes)
	if err != nil {
		return "", err
	}
	if absent {
		return "", &Error{"the model does not say how its tokens' vectors become one: it has no 1_Pooling/config.json", "say it with --pooling cls or --pooling mean"}
	}
	var on []string
	for mode, value := range modes {
		if strings.HasPrefix(mode, "pooling_mode_") && value == true {
			on = append(on, strings.TrimPrefix(mode, "pooling_mode_"))
		}
	}
	if len(on) == 1 && on[0] == "cls_token" {
		return pack.CLS, nil
	}
	if len(on) == 1 && on[0] == "mean_tokens" {
		return pack.Mean, nil
	}
	return "", &Error{fmt.Sprintf("the model pools by %s", strings.Join(on, " and ")), "models that pool by the first token or by the mean can be used"}
}

// longest is how many tokens of a text count, as the model's files say.
func (c *Checkpoint) longest(positions int) (int, error) {
	var sentence struct {
		Max int `json:"max_seq_length"`
	}
	if _, err := c.unmarshal("sentence_bert_config.json", &sentence); err != nil {
		return 0, err
	}
	if sentence.Max > 0 {
		return min(sentence.Max, positions), nil
	}
	var tokenizer struct {
		Max float64 `json:"model_max_length"`
	}
	if _, err := c.unmarshal("tokenizer_config.json", &tokenizer); err != nil {
		return 0, err
	}
	if tokenizer.Max >= 1 && tokenizer.Max < float64(positions) {
		return int(tokenizer.Max), nil
	}
	return positions, nil
}

// queryPrefix is what the model's files want before a query.
func (c *Checkpoint) queryPrefix() (string, error) {
	var sentence struct {
		Prompts map[string]string `json:"prompts"`
	}
	_, err := c.unmarshal("config_sentence_transformers.json", &sentence)
	return sentence.Prompts["query"], err
}

var licenceLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^license: *"?([A-Za-z0-9.+-]{1,40})"?\s*$`) })

// licence is what the model's description says, in its first lines.
func (c *Checkpoint) licence() (string, error) {
	data, err := c.read("README.md")
	if err != nil || data == nil {
		return "", err
	}
	front, _, _ := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---")
	if m := licenceLine().FindStringSubmatch(front); m != nil {
		return m[1], nil
	}
	return "", nil
}
