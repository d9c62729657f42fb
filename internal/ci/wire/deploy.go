package wire

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// deploys states that a tool puts something to run.
func (j *job) deploys(kind, site, note string, line, sure int) {
	if site = strings.TrimSpace(site); site == "" || site == openMark+closeMark {
		site = "?"
	}
	repo := ""
	if j.repo >= 0 {
		repo = j.x.repos[j.repo].Name
	}
	j.emit(fact{role: deployed, kind: kind, name: site, repo: repo, place: wiring.Place{Note: note}}, line, sure)
}

// deploy states what the command-line tools of clusters and hosts do.
func (j *job) deploy(s *shell, c call) {
	args := c.args[1:]
	f := parseFlags(args, "-n --namespace -f --filename --values --set --set-string --kube-context --context --version --image --region --project --project-name --branch --site --dir -p -c --config -e --env --source --platform --repo --remote -a --app --stack-name --template-file --name -k --kustomize --chdir -b -m -r --destination -d --timeout")
	verb := argument(f.args, 0)
	sub := argument(f.args, 1)
	where := shown(f.get("-n", "--namespace"))
	switch c.args[0] {
	case "helm":
		switch {
		case verb == "upgrade" || verb == "install":
			j.deploys("helm", shown(sub), where, c.at, c.sure)
			j.readsChart(argument(f.args, 2), f.get("--version"), c.at, c.sure)
			for _, set := range f.all("--set", "--set-string") {
				if key, v, ok := strings.Cut(set, "="); ok && strings.HasSuffix(key, "image.repository") {
					j.readsImage([]string{v}, c.at, "")
				}
			}
		case verb == "push" && len(f.args) > 2:
			name := baseOf(sub)
			if i := strings.LastIndex(name, "-"); strings.HasSuffix(name, ".tgz") && i > 0 {
				name = name[:i]
			}
			name = strings.TrimSuffix(name, ".tgz")
			to := strings.TrimSuffix(strings.TrimPrefix(f.args[2], "oci://"), "/")
			j.emit(fact{role: published, kind: wiring.Chart, name: to + "/" + globbed(name)}, c.at, c.sure)
		case verb == "pull" || verb == "template" && strings.Contains(sub, "/"):
			j.readsChart(sub, f.get("--version"), c.at, c.sure)
		}
	case "kubectl":
		switch verb {
		case "apply", "create", "replace", "rollout":
			if files := append(f.all("-f", "--filename"), f.all("-k", "--kustomize")...); len(files) > 0 && verb != "rollout" {
				j.applies(files, where, c)
			}
		case "set":
			if sub == "image" && len(f.args) > 3 {
				j.deploys("kubectl", shown(f.args[2]), where, c.at, c.sure)
				for _, a := range f.args[3:] {
					if _, img, ok := strings.Cut(a, "="); ok {
						j.readsImage([]string{img}, c.at, "")
					}
				}
			}
			for flag, values := range f.values {
				if sub == "image" && !strings.HasPrefix(flag, "-") {
					j.readsImage(values, c.at, "")
				}
			}
		case "run":
			j.readsImage(f.all("--image"), c.at, "")
		}
	case "terraform", "tofu", "terragrunt":
		if verb == "apply" || verb == "destroy" {
			dir := shown(s.dir)
			if d := f.get("--chdir", "-chdir"); d != "" {
				dir = shown(d)
			}
			if dir == "" {
				dir = "."
			}
			j.deploys(c.args[0], dir, verb, c.at, c.sure)
		}
	case "pulumi", "cdk", "serverless", "sls", "firebase", "wrangler", "flyctl", "fly", "vercel", "netlify", "heroku", "eb", "railway", "surge":
		j.hosted(c, f, verb, sub)
	case "gcloud", "aws", "az":
		j.cloud(c, f)
	case "mkdocs":
		if verb == "gh-deploy" {
			j.pagesBranch(f.get("-b", "--remote-branch", "--branch"), "", c.at, c.sure)
		}
	case "mike":
		if verb == "deploy" && (f.has["--push"] || f.has["-p"]) {
			j.pagesBranch(f.get("-b", "--branch"), "", c.at, c.sure)
		}
	case "gh-pages":
		j.pagesBranch(f.get("-b", "--branch"), "", c.at, c.sure)
	case "argocd":
		if verb == "app" && (sub == "sync" || sub == "set") {
			j.deploys("argocd", shown(argument(f.args, 2)), "", c.at, c.sure)
		}
	case "ansible-playbook":
		j.deploys("ansible", shown(verb), "", c.at, c.sure)
	case "rsync":
		if last := argument(f.args, len(f.args)-1); len(f.args) > 1 && strings.Contains(last, ":") {
			j.deploys("rsync", shown(last), "", c.at, c.sure)
		}
	}
}

// applies states manifests that are put on a cluster. Those that are fetched
// are no site: what they are fetched from is read, and the note tells it.
func (j *job) applies(files []string, namespace string, c call) {
	var local, fetched []string
	for _, f := range files {
		if strings.Contains(f, "://") {
			fetched = append(fetched, f)
		} else if f != "-" {
			local = append(local, f)
		}
	}
	if len(local) > 0 || len(fetched) == 0 {
		j.deploys("kubectl", shown(strings.Join(local, " ")), namespace, c.at, c.sure)
	}
	for _, address := range fetched {
		j.gets(address, c.at, c.sure)
		j.deploys("kubectl", namespace, "applies "+shown(address), c.at, c.sure)
	}
}

// hosted states deployments to hosts of applications and sites.
func (j *job) hosted(c call, f flags, verb, sub string) {
	name := c.args[0]
	site := shown(f.get("--project-name", "--project", "-a", "--app", "--site", "--stack-name", "--name"))
	switch name {
	case "pulumi":
		if verb == "up" || verb == "update" {
			j.deploys(name, shown(f.get("--stack", "-s")), "", c.at, c.sure)
		}
	case "wrangler":
		if verb == "deploy" || verb == "publish" || verb == "pages" && (sub == "deploy" || sub == "publish") {
			j.deploys(name, site, "", c.at, c.sure)
		}
	case "vercel":
		if verb == "" || verb == "deploy" || verb == "--prod" {
			j.deploys(name, site, "", c.at, c.sure)
		}
	case "surge":
		j.deploys(name, shown(argument(f.args, 1)), "", c.at, c.sure)
	case "railway":
		if verb == "up" {
			j.deploys(name, site, "", c.at, c.sure)
		}
	default:
		if verb == "deploy" || strings.HasPrefix(verb, "deploy") || verb == "container:release" {
			j.deploys(name, site, "", c.at, c.sure)
		}
	}
}

// cloud states deployments by the tools of clouds.
func (j *job) cloud(c call, f flags) {
	line := strings.Join(f.args, " ")
	last := func(n int) string { return shown(argument(f.args, n)) }
	switch {
	case strings.HasPrefix(line, "run deploy"):
		j.deploys("cloud run", last(2), "", c.at, c.sure)
		j.readsImage(f.all("--image"), c.at, "")
	case strings.HasPrefix(line, "app deploy"), strings.HasPrefix(line, "functions deploy"):
		j.deploys("gcloud "+f.args[0], last(2), "", c.at, c.sure)
	case strings.HasPrefix(line, "builds submit"):
		for _, t := range f.all("-t", "--tag") {
			j.pushes(t, c.at, c.sure)
		}
	case strings.HasPrefix(line, "s3 sync"), strings.HasPrefix(line, "s3 cp"), strings.HasPrefix(line, "storage cp"), strings.HasPrefix(line, "storage rsync"):
		if to := last(3); strings.HasPrefix(to, "s3://") || strings.HasPrefix(to, "gs://") {
			j.deploys(strings.Fields(line)[0], to, "", c.at, c.sure)
		}
	case strings.HasPrefix(line, "ecs update-service"):
		j.deploys("ecs", shown(f.get("--service")), "", c.at, c.sure)
	case strings.HasPrefix(line, "lambda update-function-code"):
		j.deploys("lambda", shown(f.get("--function-name")), "", c.at, c.sure)
	case strings.HasPrefix(line, "cloudformation deploy"):
		j.deploys("cloudformation", shown(f.get("--stack-name")), "", c.at, c.sure)
	case strings.HasPrefix(line, "webapp deploy"), strings.HasPrefix(line, "containerapp update"), strings.HasPrefix(line, "functionapp deploy"):
		j.deploys("az "+f.args[0], shown(f.get("--name", "-n")), "", c.at, c.sure)
		j.readsImage(f.all("--image"), c.at, "")
	case strings.HasPrefix(line, "acr build"):
		for _, t := range f.all("-t", "--image") {
			if r := f.get("-r", "--registry"); r != "" {
				t = r + ".azurecr.io/" + t
			}
			j.pushes(t, c.at, c.sure)
		}
	}
}

// readsChart states the use of a chart that is not a folder.
func (j *job) readsChart(name, version string, line, sure int) {
	name = strings.TrimPrefix(name, "oci://")
	if name == "" || !fixed(name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || !strings.Contains(name, "/") {
		return
	}
	if j.fileAt(strings.TrimRight(name, "/")+"/Chart.yaml") != nil {
		return
	}
	j.emit(fact{role: read, kind: wiring.Chart, name: name, place: wiring.Place{Version: versionOf(version)}}, line, sure)
}

// pagesBranch states that a site is put on a branch that the service serves.
func (j *job) pagesBranch(branch, slug string, line, sure int) {
	if branch == "" {
		branch = "gh-pages"
	}
	if slug == "" {
		slug = j.x.slug(max(j.repo, 0))
	}
	if known(branch) {
		j.emit(fact{role: published, kind: wiring.Branch, name: branch, repo: j.x.shortOf(slug)}, line, sure)
	}
	if j.isOwn(slug) {
		j.deploys("pages", j.siteOf(), "", line, sure)
	}
}

// siteOf is the host of the repository's site: written to a CNAME file by
// the job, in one of the repository, in the settings of its documentation,
// or "?".
func (j *job) siteOf() string {
	if j.silent {
		return "?"
	}
	if j.site != "" {
		return shown(j.site)
	}
	if j.repo < 0 {
		return "?"
	}
	if site := j.cnameOf(); site != "" {
		return site
	}
	for _, name := range []string{"mkdocs/mkdocs.yml", "mkdocs.yml", "docs/mkdocs.yml", "mkdocs.yaml", "_config.yml", "docs/_config.yml"} {
		f := j.x.fileOf(j.repo, name)
		if f == nil {
			continue
		}
		docs, _ := readYAML(f.data)
		if len(docs) == 0 {
			continue
		}
		for _, key := range []string{"site_url", "url"} {
			if host := hostOf(docs[0].get(key).text()); host != "" {
				return host
			}
		}
	}
	for _, name := range []string{"CNAME", "docs/CNAME", "public/CNAME", "static/CNAME", "site/CNAME", "website/static/CNAME", "src/CNAME"} {
		if f := j.x.fileOf(j.repo, name); f != nil {
			if host := strings.TrimSpace(string(f.data[:min(len(f.data), 300)])); host != "" && !strings.ContainsAny(host, " \n/") {
				return host
			}
		}
	}
	return "?"
}

// isSite reports a file that names the host of a repository's site.
func isSite(name string) bool {
	switch name {
	case "mkdocs/mkdocs.yml", "mkdocs.yml", "docs/mkdocs.yml", "mkdocs.yaml", "_config.yml", "docs/_config.yml",
		"CNAME", "docs/CNAME", "public/CNAME", "static/CNAME", "site/CNAME", "website/static/CNAME", "src/CNAME":
		return true
	}
	return false
}

// cnameOf is the host that a step anywhere in the workflow writes to a CNAME
// file; the job that deploys is often another.
func (j *job) cnameOf() string {
	for _, job := range j.root.doc.get("jobs").pairs() {
		for _, st := range job.value.get("steps").items() {
			text := st.get("run").text()
			if !strings.Contains(text, "CNAME") {
				continue
			}
			other := j.runner.newJob("", job.value, nil)
			quiet := *other.runner
			quiet.silent = true
			other.runner = &quiet
			other.step(st)
			if other.site != "" {
				return shown(other.site)
			}
		}
	}
	return ""
}

func hostOf(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	if !strings.Contains(host, ".") { // none that a site could be reached at
		return ""
	}
	return clip(host, 253)
}
