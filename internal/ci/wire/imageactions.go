package wire

import "strings"

// buildPush states what docker/build-push-action pushes: its tags, or, where
// another step gives them, the images of that.
func (j *job) buildPush(st node, line int) {
	pushed, sure := j.pushed(st)
	at := line
	if st.get("with").get("tags").there() {
		at = withLine(st, "tags")
	}
	var refs []string
	for _, v := range j.with(st, "tags") {
		refs = append(refs, list(v)...)
	}
	for _, out := range append(list(j.with1(st, "outputs")), list(j.with1(st, "output"))...) {
		if name, ok := strings.CutPrefix(out, "name="); ok { // type=image,name=…,push=true
			refs = append(refs, name)
		}
	}
	told := false
	for _, ref := range union(refs) {
		if _, ok := imageRef(ref); ok {
			told = true
			j.builds(ref, false, at, sure)
			if pushed {
				j.pushes(ref, at, sure)
			}
		}
	}
	if told || !pushed {
		return
	}
	// An env that is called so is the custom where the tags come from a
	// step that nothing tells.
	for _, name := range []string{"IMAGE", "IMAGE_NAME", "DOCKER_IMAGE", "IMAGE_REPO"} {
		for _, v := range j.env[name] {
			if img, ok := imageRef(v); ok {
				told = true
				if reg, has := j.env["REGISTRY"]; has && !strings.Contains(strings.SplitN(v, "/", 2)[0], ".") && known(reg[0]) && reg[0] != "" {
					v = reg[0] + "/" + img.name
				}
				j.pushes(v, at, min(sure, 80))
			}
		}
		if told {
			return
		}
	}
	j.untoldImage(strings.Join(refs, " "), at)
}

// pushed reports whether the step pushes, and how sure that is.
func (j *job) pushed(st node) (bool, int) {
	if outputs := j.with1(st, "outputs"); strings.Contains(outputs, "push=true") || strings.Contains(outputs, "type=registry") {
		return true, 100
	}
	p := st.get("with").get("push")
	if !p.there() {
		return false, 100
	}
	for _, v := range j.expand(p) {
		if !known(v) || truthy(v) {
			if known(v) && len(j.expand(p)) == 1 {
				return true, 100
			}
			return true, 90
		}
	}
	return strings.Contains(p.text(), "${{") && len(j.expand(p)) > 1, 90
}

// imageMetadata gives the tags that docker/metadata-action makes to the
// steps behind it.
func (j *job) imageMetadata(st node, _ int) {
	id := st.get("id").text()
	var images []string
	for _, v := range j.with(st, "images") {
		for _, l := range list(v) {
			if strings.Contains(l, "enable=false") || strings.HasPrefix(l, "enable=") {
				continue
			}
			images = append(images, strings.TrimPrefix(l, "name="))
		}
	}
	if id == "" || len(images) == 0 {
		return
	}
	var tags []string
	for _, i := range union(images) {
		tags = append(tags, i+":"+unknown("tag"))
	}
	j.output(id, "tags", []string{strings.Join(tags, "\n")})
	j.output(id, "version", []string{unknown("version")})
	// A bake file takes its tags from here, too.
	j.output(id, "bake-file", []string{"@" + strings.Join(tags, "\n")})
	j.output(id, "bake-file-tags", []string{"@" + strings.Join(tags, "\n")})
}

func (j *job) bakeAction(st node, line int) {
	pushed, sure := j.pushed(st)
	var files []string
	for _, f := range list(j.with1(st, "files")) {
		if tags, ok := strings.CutPrefix(f, "@"); ok {
			j.builds(tags, pushed, withLine(st, "files"), sure)
			continue
		}
		if img, ok := imageRef(f); ok && strings.Contains(f, ":"+openMark) {
			j.builds(img.name, pushed, withLine(st, "files"), sure)
			continue
		}
		files = append(files, strings.TrimPrefix(f, "./"))
	}
	for _, set := range list(j.with1(st, "set")) {
		if _, tags, ok := strings.Cut(set, ".tags="); ok {
			j.builds(tags, pushed, withLine(st, "set"), sure)
		}
		pushed = pushed || strings.Contains(set, "type=registry") || strings.Contains(set, "push=true")
	}
	dir := j.with1(st, "workdir")
	if dir == "" {
		dir = j.with1(st, "source")
	}
	if !known(dir) || strings.Contains(dir, "{{") {
		dir = ""
	}
	j.bakes(strings.TrimPrefix(dir, "./"), files, pushed, func(name string) []string { return j.env[name] }, line, sure)
}

// names joins an image and its tags as the actions of buildah take them.
func names(registry, img, tags string) (out []string) {
	if registry != "" {
		img = strings.TrimSuffix(registry, "/") + "/" + img
	}
	for _, t := range strings.Fields(tags) {
		if strings.Contains(t, "/") {
			out = append(out, t)
		} else {
			out = append(out, img+":"+t)
		}
	}
	if len(out) == 0 {
		out = []string{img}
	}
	return out
}

func (j *job) buildahBuild(st node, line int) {
	img := j.with1(st, "image")
	if img == "" && j.with1(st, "tags") == "" {
		return
	}
	for _, n := range names("", img, j.with1(st, "tags")) {
		j.builds(n, false, line, 100)
	}
	if id := st.get("id").text(); id != "" {
		j.output(id, "image", []string{img})
		j.output(id, "tags", []string{j.with1(st, "tags")})
	}
}

func (j *job) buildahPush(st node, line int) {
	for _, n := range names(j.with1(st, "registry"), j.with1(st, "image"), j.with1(st, "tags")) {
		j.pushes(n, line, 100)
	}
}

func (j *job) kanikoAction(st node, line int) {
	img := j.with1(st, "image")
	if reg := j.with1(st, "registry"); reg != "" {
		img = reg + "/" + img
	}
	j.pushes(img, line, 100)
}
