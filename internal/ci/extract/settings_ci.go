package extract

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// isWorkflow reports a workflow of GitHub or Gitea.
func isWorkflow(root *yaml.Node) bool {
	return valueAt(root, "jobs").Kind == yaml.MappingNode && (valueAt(root, "on").Kind != 0 || valueAt(root, "true").Kind != 0)
}

// workflow defines the jobs of a workflow and their steps, by id or name.
func (r *settingsReader) workflow(root *yaml.Node) {
	r.file.Doc = firstSentence(validText(valueAt(root, "name").Value))
	for k, job := range pairs(valueAt(root, "jobs")) {
		i := r.key(-1, Job, k.Value, k, job, titled(k.Value, valueAt(job, "name").Value))
		r.within(i, func() {
			r.needs(valueAt(job, "needs"))
			r.calls(valueAt(job, "uses"))
			r.steps(i, valueAt(job, "steps"))
		})
	}
	for _, called := range []string{"workflow_call", "workflow_dispatch"} {
		r.keys(-1, Key, valueAt(root, "on", called, "inputs"))
	}
}

// titled is a name with what people call it.
func titled(name, title string) string {
	if title == "" || title == name {
		return name
	}
	return name + ": " + title
}

// action defines the inputs and outputs of an action and its steps.
func (r *settingsReader) action(root *yaml.Node) {
	r.file.Doc = firstSentence(validText(valueAt(root, "description").Value))
	r.keys(-1, Key, valueAt(root, "inputs"))
	r.keys(-1, Output, valueAt(root, "outputs"))
	for _, program := range []string{"main", "pre", "post", "image"} {
		n := valueAt(root, "runs", program)
		if path := n.Value; path != "" && !strings.Contains(path, ":") {
			r.local("./"+strings.TrimPrefix(path, "./"), n)
		}
	}
	r.steps(-1, valueAt(root, "runs", "steps"))
}

func (r *settingsReader) steps(parent int, steps *yaml.Node) {
	if steps.Kind != yaml.SequenceNode {
		return
	}
	for _, step := range steps.Content {
		id, title := valueAt(step, "id"), valueAt(step, "name")
		at, name := id, id.Value
		if name == "" {
			at, name = title, title.Value
		}
		i := parent
		if name != "" {
			i = r.key(parent, Step, name, at, step, titled(name, title.Value))
		}
		r.within(i, func() { r.calls(valueAt(step, "uses")) })
	}
}

// calls tells what `uses` names in the same repository.
func (r *settingsReader) calls(uses *yaml.Node) { r.local(uses.Value, uses) }

// needs tells the jobs that must run before.
func (r *settingsReader) needs(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		r.mention(References, n.Value, "", n)
	}
	for _, c := range n.Content {
		if n.Kind == yaml.SequenceNode && c.Kind == yaml.ScalarNode {
			r.mention(References, c.Value, "", c)
		} else if job := valueAt(c, "job"); job.Value != "" {
			r.mention(References, job.Value, "", job)
		}
	}
}

// isPipeline reports a pipeline of GitLab: a mapping with jobs that have a
// script, or with what only pipelines have.
func isPipeline(root *yaml.Node) bool {
	if valueAt(root, "stages").Kind == yaml.SequenceNode {
		return true
	}
	for _, v := range pairs(root) {
		if valueAt(v, "script").Kind != 0 && (valueAt(v, "stage").Kind != 0 || valueAt(v, "rules").Kind != 0 || valueAt(v, "only").Kind != 0 || valueAt(v, "image").Kind != 0) {
			return true
		}
	}
	return false
}

// pipeline defines the jobs of a pipeline and its variables.
func (r *settingsReader) pipeline(root *yaml.Node) {
	for k, v := range pairs(root) {
		switch k.Value {
		case "include":
			r.included(v)
			continue
		case "variables":
			r.keys(-1, Variable, v)
			continue
		}
		kind := Key
		for _, part := range []string{"script", "extends", "trigger", "stage", "run"} {
			if valueAt(v, part).Kind != 0 {
				kind = Job
			}
		}
		i := r.key(-1, kind, k.Value, k, v, "")
		r.within(i, func() {
			r.needs(valueAt(v, "needs"))
			r.needs(valueAt(v, "dependencies"))
			for _, base := range append(valueAt(v, "extends").Content, valueAt(v, "extends")) {
				if base.Value != "" {
					r.mention(References, base.Value, "", base)
				}
			}
		})
	}
}

// included tells the local files that a pipeline is made of.
func (r *settingsReader) included(n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		r.local("/"+strings.TrimPrefix(n.Value, "/"), n)
	case yaml.MappingNode:
		if path := valueAt(n, "local"); path.Value != "" {
			r.local("/"+strings.TrimPrefix(path.Value, "/"), path)
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			if c.Kind != yaml.SequenceNode {
				r.included(c)
			}
		}
	}
}

// tasks defines the plays and tasks that a list names, as Ansible has them.
func (r *settingsReader) tasks(parent int, list *yaml.Node) {
	for _, task := range list.Content {
		title := valueAt(task, "name")
		i := parent
		if title.Kind == yaml.ScalarNode && title.Value != "" {
			i = r.key(parent, Step, title.Value, title, task, "")
		}
		for _, inner := range []string{"tasks", "pre_tasks", "post_tasks", "handlers", "block"} {
			if n := valueAt(task, inner); parent < 0 && n.Kind == yaml.SequenceNode {
				r.tasks(i, n)
			}
		}
	}
}
