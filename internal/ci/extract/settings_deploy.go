package extract

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// manifest defines what a manifest of Kubernetes describes, by kind and name:
// "Deployment.web".
func (r *settingsReader) manifest(root *yaml.Node) {
	kind, name := valueAt(root, "kind").Value, valueAt(root, "metadata", "name")
	i := -1
	if name.Value != "" {
		i = r.key(-1, Resource, name.Value, name, root, kind+" "+name.Value)
	}
	if i >= 0 {
		r.file.Definitions[i].Container = clip(oneLine(validText(kind)), maxName)
	}
	for _, list := range []string{"containers", "initContainers"} {
		containers := valueAt(root, "spec", "template", "spec", list)
		for _, c := range containers.Content {
			if n := valueAt(c, "name"); n.Value != "" {
				r.key(i, Service, n.Value, n, c, titled(n.Value, valueAt(c, "image").Value))
			}
		}
	}
	for _, list := range []string{"resources", "bases", "components", "patchesStrategicMerge"} { // of Kustomize
		for _, c := range valueAt(root, list).Content {
			if c.Kind == yaml.ScalarNode && !strings.Contains(c.Value, "://") {
				r.local("./"+strings.TrimPrefix(c.Value, "./"), c)
			}
		}
	}
}

// isCompose reports a file of Compose: every service is a mapping with
// something that only services have.
func isCompose(root *yaml.Node) bool {
	for _, s := range pairs(valueAt(root, "services")) {
		for _, part := range []string{"image", "build", "command", "ports", "environment", "extends", "volumes"} {
			if valueAt(s, part).Kind != 0 {
				return true
			}
		}
	}
	return false
}

// compose defines the services of a Compose file, and its volumes, networks,
// secrets and settings.
func (r *settingsReader) compose(root *yaml.Node) {
	for k, s := range pairs(valueAt(root, "services")) {
		i := r.key(-1, Service, k.Value, k, s, titled(k.Value, valueAt(s, "image").Value))
		r.within(i, func() {
			depends := valueAt(s, "depends_on")
			r.needs(depends)
			for dk := range pairs(depends) {
				r.mention(References, dk.Value, "", dk)
			}
			if e := valueAt(s, "extends", "service"); e.Value != "" {
				r.mention(References, e.Value, "", e)
			}
			build := valueAt(s, "build")
			if context := valueAt(build, "context"); context.Value != "" {
				build = context
			}
			if build.Kind == yaml.ScalarNode {
				r.local(strings.TrimSuffix(build.Value, "/")+"/Dockerfile", build)
			}
		})
	}
	for _, part := range []string{"volumes", "networks", "secrets", "configs"} {
		r.keys(-1, Key, valueAt(root, part))
	}
}
