package wire

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

const buildFlags = "-t --tag -f --file --build-arg --platform --target --cache-from --cache-to --label --secret --ssh -o --output --builder --network --iidfile --metadata-file --annotation --build-context --add-host --progress --shm-size --ulimit --attest --provenance --sbom --allow --set --format"

const runFlags = "-v --volume -e --env -p --publish -w --workdir --name --network --net -u --user --entrypoint --env-file --platform --mount -h --hostname -m --memory --cpus --add-host --label -l --restart --device --cap-add --cap-drop --security-opt --tmpfs --ulimit --gpus --pull --log-driver --log-opt --shm-size --cidfile --ipc --pid --userns --dns --link --expose --health-cmd --health-interval --health-timeout --health-retries --volumes-from --stop-timeout -a --attach"

// docker states what docker, podman, buildah and nerdctl do.
func (j *job) docker(s *shell, c call) {
	args := afterFlags(c.args[1:], "-H", "--host", "--context", "--config", "-l", "--log-level")
	if len(args) == 0 {
		return
	}
	verb, rest := args[0], args[1:]
	if (verb == "image" || verb == "container" || verb == "buildx" || verb == "builder") && len(rest) > 0 {
		verb, rest = rest[0], rest[1:]
	}
	switch verb {
	case "build", "bud", "b":
		f := parseFlags(rest, buildFlags)
		pushed := f.has["--push"] || strings.Contains(strings.Join(f.all("-o", "--output"), " "), "push=true") || strings.Contains(strings.Join(f.all("-o", "--output"), " "), "type=registry")
		for _, t := range f.all("-t", "--tag") {
			j.builds(t, pushed, c.at, c.sure)
		}
	case "tag":
		if f := parseFlags(rest, ""); len(f.args) > 1 {
			j.builds(f.args[1], false, c.at, c.sure)
		}
	case "push":
		if names := parseFlags(rest, "--authfile --creds --format -f").args; len(names) > 0 {
			to := names[0]
			if c.args[0] == "podman" || c.args[0] == "buildah" { // what is pushed, and as what
				to = names[len(names)-1]
			}
			j.pushes(to, c.at, c.sure)
		}
	case "pull":
		for _, a := range parseFlags(rest, "--platform --authfile --creds --arch").args {
			j.readsImage([]string{a}, c.at, "")
		}
	case "run", "create":
		if f := untilArgument(rest, runFlags); f != "" {
			j.readsImage([]string{f}, c.at, "")
		}
	case "from":
		if f := untilArgument(rest, "--platform --name --arch"); f != "" {
			j.readsImage([]string{f}, c.at, "")
		}
	case "bake":
		j.bake(s, rest, c)
	case "manifest", "imagetools":
		if len(rest) == 0 {
			return
		}
		f := parseFlags(rest[1:], "-t --tag --amend --file -f --os --arch --variant --annotation")
		switch {
		case verb == "imagetools" && rest[0] == "create":
			for _, t := range f.all("-t", "--tag") {
				j.pushes(t, c.at, c.sure)
			}
		case rest[0] == "push" && len(f.args) > 0:
			j.pushes(f.args[len(f.args)-1], c.at, c.sure) // podman names the list before it
		case rest[0] == "create" && len(f.args) > 0:
			j.builds(f.args[0], false, c.at, c.sure)
		}
	}
}

// untilArgument is the first word that is no flag, and no word of one.
func untilArgument(args []string, valued string) string {
	takes := map[string]bool{}
	for v := range strings.FieldsSeq(valued) {
		takes[v] = true
	}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return argument(args, i+1)
		case takes[a]:
			i++
		case strings.HasPrefix(a, "-"):
		case a == openMark+closeMark || !fixed(a) && strings.HasPrefix(a, openMark) && strings.Count(a, openMark) == 1 && strings.HasSuffix(a, closeMark):
			// A variable on its own, which may hold flags, or the image.
		default:
			return a
		}
	}
	return ""
}

// builds notes an image that is built under a name.
func (j *job) builds(ref string, pushed bool, line, sure int) {
	img, ok := imageRef(ref)
	if !ok {
		if pushed {
			j.untoldImage(ref, line)
		}
		return
	}
	if pushed {
		j.pushes(ref, line, sure)
		return
	}
	if j.built[img.name] == nil {
		j.built[img.name] = &built{line: line, file: j.w}
	}
}

// pushes states an image that is put into a registry.
func (j *job) pushes(ref string, line, sure int) {
	img, ok := imageRef(ref)
	if !ok {
		j.untoldImage(ref, line)
		return
	}
	if b := j.built[img.name]; b != nil {
		b.pushed = true
	} else {
		j.built[img.name] = &built{line: line, pushed: true}
	}
	if !known(ref) && strings.HasPrefix(img.name, "<") {
		sure = min(sure, 70)
	}
	j.emit(fact{role: published, kind: wiring.Image, name: img.name, place: wiring.Place{Version: versionShown(img.tag)}}, line, sure)
}

// versionShown is a tag that is told in part at least.
func versionShown(tag string) string {
	if tag == "" || strings.HasPrefix(tag, "<") && strings.Count(tag, "<") == 1 && strings.HasSuffix(tag, ">") {
		return ""
	}
	return tag
}

// untoldImage lists an image that is pushed under a name that only runs tell.
func (j *job) untoldImage(ref string, line int) {
	j.emit(fact{role: unresolved, kind: "image", name: clipped(shown(ref)), more: "the name it is pushed under is not told by the workspace"}, line, 100)
}

// registry states what the programs do that copy between registries.
func (j *job) registry(_ *shell, c call) {
	if len(c.args) < 2 {
		return
	}
	verb := c.args[1]
	f := parseFlags(c.args[2:], "-t --tag --platform -f --new_tag --new_layer -b --base --src-creds --dest-creds --authfile --annotation -a --artifact-type --config -u -p -o --output --format")
	last := argument(f.args, len(f.args)-1)
	if len(f.args) == 0 {
		return
	}
	switch verb {
	case "copy", "cp", "sync":
		j.readsImage(f.args[:1], c.at, "copied")
		if len(f.args) > 1 && !strings.HasPrefix(f.args[1], "dir:") && !strings.HasPrefix(f.args[1], "oci:") && !strings.HasPrefix(f.args[1], "docker-archive:") {
			j.pushes(f.args[1], c.at, c.sure)
		}
	case "push":
		if c.args[0] == "oras" {
			last = f.args[0]
		}
		j.pushes(last, c.at, c.sure)
	case "append", "mutate":
		for _, t := range f.all("-t", "--tag", "--new_tag") {
			j.pushes(t, c.at, c.sure)
		}
	case "tag":
		if len(f.args) > 1 {
			if img, ok := imageRef(f.args[0]); ok {
				j.pushes(img.name+":"+f.args[1], c.at, c.sure)
			}
		}
	case "pull", "export", "inspect", "digest", "manifest":
		j.readsImage(f.args[:1], c.at, "")
	}
}

// ko states what ko publishes: images of Go programs, below one name.
func (j *job) ko(s *shell, c call) {
	if len(c.args) < 2 {
		return
	}
	switch c.args[1] {
	case "build", "publish", "apply", "resolve", "create":
	default:
		return
	}
	f := parseFlags(c.args[2:], "-t --tags --platform -j --jobs --image-refs --image-label -f --filename --sbom-dir")
	if f.has["-L"] || f.has["--local"] || f.values["--push"] != nil && f.get("--push") == "false" {
		return
	}
	for _, repo := range s.variable("KO_DOCKER_REPO") {
		if !fixed(repo) {
			j.untoldImage(repo, c.at)
			continue
		}
		names := 0
		for _, a := range f.args {
			name := baseOf(a)
			if !f.has["-B"] && !f.has["--base-import-paths"] && !f.has["--bare"] || !fixed(name) {
				name = ""
			}
			if f.has["--bare"] {
				j.pushes(repo, c.at, c.sure)
			} else if name != "" {
				j.pushes(repo+"/"+name, c.at, c.sure)
			} else {
				j.pushes(repo+"/"+openMark+"program"+closeMark, c.at, c.sure)
			}
			names++
		}
		if names == 0 {
			j.pushes(repo+"/"+openMark+"program"+closeMark, c.at, c.sure)
		}
	}
}

// kaniko states the destinations that its executor pushes to.
func (j *job) kaniko(_ *shell, c call) {
	f := parseFlags(c.args[1:], "-d --destination -c --context -f --dockerfile --build-arg --cache-repo --target")
	for _, d := range f.all("-d", "--destination") {
		j.pushes(d, c.at, c.sure)
	}
}
