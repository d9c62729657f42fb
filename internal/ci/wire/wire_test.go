package wire

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestFacts has the names under which the behaviour is agreed on, each with
// the smallest workspace that shows it.
func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		files      tree
		want       []string
	}{
		{"dispatch_types_listened", "dispatch", tree{
			"umbrella/.github/workflows/sync.yml": "on:\n  repository_dispatch:\n    types: [released, updated]\n  push:\njobs: {}\n",
			"app/.github/workflows/one.yml":       "'on':\n  repository_dispatch:\n    types: updated\njobs: {}\n",
		}, []string{
			"dispatch released heard umbrella-.github/workflows/sync.yml:3",
			"dispatch updated heard umbrella-.github/workflows/sync.yml:3",
			"dispatch updated heard app/.github/workflows/one.yml:3",
		}},
		{"dispatch_send_step", "dispatch", tree{
			"app/.github/workflows/a.yml": workflowText("", `      - env:
          EVENT_TYPE: built
        run: |
          gh api repos/acme/site/dispatches \
            -f "event_type=$EVENT_TYPE" \
            -F client_payload[x]=1
      - run: |
          args=(--method POST repos/acme/site/dispatches)
          args+=(-f event_type=in-array)
          gh api "${args[@]}"
      - run: |
          curl -X POST https://api.github.com/repos/acme/site/dispatches \
            -d '{"event_type": "by-curl", "client_payload": {}}'
      - run: |
          jq -n --arg t "$KIND" '{event_type: $t}' | gh api repos/acme/site/dispatches --input -
        env: {KIND: by-jq}
      - uses: peter-evans/repository-dispatch@v3
        with:
          repository: acme/site
          event-type: by-action
      - uses: actions/github-script@v7
        with:
          script: |
            await github.rest.repos.createDispatchEvent({
              owner: 'acme', repo: 'site',
              event_type: 'by-script',
            });
`)}, []string{
			"dispatch built sent app/.github/workflows/a.yml:9 when=on a push note=to acme/site",
			"dispatch by-action sent app/.github/workflows/a.yml:25 when=on a push note=to acme/site",
			"dispatch by-curl sent app/.github/workflows/a.yml:17 when=on a push note=to acme/site",
			"dispatch by-jq sent app/.github/workflows/a.yml:20 when=on a push note=to acme/site",
			"dispatch by-script sent app/.github/workflows/a.yml:29 when=on a push sure=90",
			"dispatch in-array sent app/.github/workflows/a.yml:15 when=on a push note=to acme/site",
		}},
		{"unresolved_event_type_not_sent", "dispatch|unresolved", tree{
			"app/.github/workflows/a.yml": runs(`gh api repos/acme/site/dispatches -f "event_type=$NOBODY_KNOWS"`),
		}, []string{
			"unresolved dispatch <nobody-knows>: its type is not told by the workspace: at app/.github/workflows/a.yml:7 when=on a push",
		}},
		{"reusable_workflow_ref_and_event_type", "dispatch|call", tree{
			"app/.github/workflows/a.yml": "on:\n  push:\n    branches: [main]\njobs:\n  tell:\n    uses: acme/kit/.github/workflows/notify.yml@v1\n    with:\n      event: app-changed\n",
			"kit/.github/workflows/notify.yml": "on:\n  workflow_call:\n    inputs:\n      event: {type: string, default: changed}\n      target: {type: string, default: acme/umbrella}\njobs:\n  send:\n    runs-on: ubuntu-latest\n    steps:\n" +
				"      - run: gh api repos/${{ inputs.target }}/dispatches -f event_type=${{ inputs.event }}\n",
		}, []string{
			"dispatch app-changed sent app/.github/workflows/a.yml:6 via=notify.yml@v1 when=on a push to `main` note=to acme/umbrella sure=90",
			"call workflow acme/kit/.github/workflows/notify.yml from app/.github/workflows/a.yml:6 version=v1",
		}},
		{"missing_callee_warns", "call|unresolved", tree{
			"app/.github/workflows/a.yml": "on: push\njobs:\n  one:\n    uses: else/where/.github/workflows/x.yml@v2\n  two:\n    uses: acme/kit/.github/workflows/gone.yml@v1\n",
			"kit/README.md":               "kit",
		}, []string{
			"call workflow acme/kit/.github/workflows/gone.yml from app/.github/workflows/a.yml:6 version=v1",
			"call workflow else/where/.github/workflows/x.yml from app/.github/workflows/a.yml:4 version=v2",
			"unresolved workflow acme/kit/.github/workflows/gone.yml v1: the repository has no such workflow: at app/.github/workflows/a.yml:6",
			"unresolved workflow else/where/.github/workflows/x.yml v2: it is not in the workspace, so what it does is not known: at app/.github/workflows/a.yml:4",
		}},
		{"release_upload_assets", "release", tree{
			"app/.github/workflows/release.yml": workflowText("{push: {tags: ['v*']}}", `      - run: |
          TAG="${GITHUB_REF_NAME}"
          FILE="dist/data-${TAG}.tar.gz"
          gh release upload "$TAG" "$FILE" dist/schema.json --clobber
`),
			"site/scripts/get.sh": "curl -fsSL https://github.com/acme/app/releases/download/$V/data-$V.tar.gz\n",
		}, []string{
			"release asset data-<tag>.tar.gz of app published app/.github/workflows/release.yml:9 when=on a `v*` tag",
			"release asset data-<tag>.tar.gz of app read site/scripts/get.sh:1 note=a script that no workflow runs sure=80",
			"release asset schema.json of app published app/.github/workflows/release.yml:9 when=on a `v*` tag",
		}},
		{"release_create_without_assets", "release", tree{
			"app/.github/workflows/release.yml": runs("gh release create v1 --title One --notes 'the first'"),
		}, []string{
			"release acme/app published app/.github/workflows/release.yml:7 version=v1 when=on a push",
		}},
		{"release_files_shell_forms", "release asset", tree{
			"app/.github/workflows/release.yml": runs(
				"gh release create \"$T\" -R acme/app \\",
				"  --notes-file n.md --target main 'a b.txt' \"b.tgz#the label\" && echo done",
				"FILES=(one.zip two.zip)",
				"gh release upload \"$T\" \"${FILES[@]}\" | tee log",
				"for f in three four; do gh release upload $T out/$f.zip; done",
				"case $T in v*) gh release upload $T five.zip;; esac",
				"put() { gh release upload \"$T\" \"$1\"; }",
				"put six.zip",
			),
		}, []string{
			"release asset a b.txt of app published app/.github/workflows/release.yml:7 when=on a push",
			"release asset b.tgz of app published app/.github/workflows/release.yml:7 when=on a push",
			"release asset five.zip of app published app/.github/workflows/release.yml:12 when=on a push",
			"release asset four.zip of app published app/.github/workflows/release.yml:11 when=on a push",
			"release asset one.zip of app published app/.github/workflows/release.yml:10 when=on a push",
			"release asset six.zip of app published app/.github/workflows/release.yml:13 when=on a push",
			"release asset three.zip of app published app/.github/workflows/release.yml:11 when=on a push",
			"release asset two.zip of app published app/.github/workflows/release.yml:10 when=on a push",
		}},
		{"image_publish", "image", tree{
			"app/.github/workflows/docker.yml": "on: {push: {branches: [main], paths: [a, b, c, d]}}\nenv:\n  IMAGE: ghcr.io/${{ github.repository_owner }}/app\njobs:\n  image:\n    runs-on: ubuntu-latest\n    steps:\n" + `      - uses: docker/build-push-action@v6
        with:
          push: true
          tags: |
            ${{ env.IMAGE }}:latest
            ${{ env.IMAGE }}:${{ github.sha }}
`,
			"site/scripts/run.sh": "docker run --rm -v \"$PWD:/w\" ghcr.io/acme/app:latest check\n",
		}, []string{
			"image ghcr.io/acme/app published app/.github/workflows/docker.yml:11 version=latest when=on a push to `main` touching 4 paths",
			"image ghcr.io/acme/app read site/scripts/run.sh:1 version=latest note=a script that no workflow runs sure=80",
		}},
		{"deploy_pages_site", "deploy", tree{
			"umbrella/.github/workflows/docs.yml": workflowText("", "      - run: echo docs.acme.dev > site/CNAME\n      - uses: actions/deploy-pages@v4\n"),
			"site/.github/workflows/site.yml":     workflowText("", "      - uses: actions/deploy-pages@v4\n"),
			"site/mkdocs.yml":                     "site_name: x\nsite_url: https://acme.dev/en/\n",
			"app/.github/workflows/site.yml":      workflowText("", "      - uses: actions/deploy-pages@v4\n"),
		}, []string{
			"deploy pages ? by app/.github/workflows/site.yml:6 when=on a push",
			"deploy pages acme.dev by site/.github/workflows/site.yml:6 when=on a push",
			"deploy pages docs.acme.dev by umbrella-.github/workflows/docs.yml:7 when=on a push",
		}},
		{"branch_artifact_api_docs", "branch", tree{
			"kit/scripts/api-docs-push.sh":        "#!/bin/sh\nBRANCH=api-docs\ngit push origin HEAD:$BRANCH\n",
			"kit/.github/workflows/api-docs.yml":  "on: workflow_call\njobs:\n  push:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/checkout@v4\n        with: {repository: acme/kit, path: .kit}\n      - run: bash .kit/scripts/api-docs-push.sh\n",
			"app/.github/workflows/docs.yml":      "on: push\njobs:\n  docs:\n    uses: acme/kit/.github/workflows/api-docs.yml@v2\n",
			"umbrella/scripts/fetch-api-docs.sh":  "for m in app kit; do\n  git -C \"$m\" fetch origin api-docs\ndone\n",
			"umbrella/scripts/other.sh":           "# api-docs\necho api-docs\n",
			"umbrella/.github/workflows/docs.yml": workflowText("", "      - run: scripts/fetch-api-docs.sh\n"),
		}, []string{
			"branch api-docs of app published app/.github/workflows/docs.yml:4 via=api-docs.yml@v2 when=on a push note=read as it is at bbbbbbb sure=90",
			"branch api-docs of app read umbrella-scripts/fetch-api-docs.sh:2 when=on a push",
		}},
		{"branch_artifact_site_data", "branch", tree{
			"app/.github/workflows/ci.yml": workflowText("", `      - uses: actions/checkout@v4
        with:
          repository: acme/site
          ref: site-data
          path: data
      - run: |
          cp out.json data/
          cd data
          git add out.json
          git commit -m data
          git push
`),
			"site/.github/workflows/site.yml": workflowText("", "      - run: git fetch origin site-data\n"),
		}, []string{
			"branch site-data of site published app/.github/workflows/ci.yml:16 when=on a push sure=90",
			"branch site-data of site read app/.github/workflows/ci.yml:9 when=on a push",
			"branch site-data of site read site/.github/workflows/site.yml:6 when=on a push",
		}},
		{"cross_repo_pr", "pull request", tree{
			"model/.github/workflows/prompt.yml": workflowText("workflow_dispatch", `      - uses: actions/checkout@v4
        with: {repository: acme/app, path: app}
      - run: |
          cd app
          git add conf/prompt.json conf/review.json
          gh pr create --repo acme/app --title "New prompt" --body "from $GITHUB_REPOSITORY"
`)}, []string{
			"pull request acme/app [prompt.json review.json] published model/.github/workflows/prompt.yml:11 when=by hand",
		}},
		{"cross_repo_pr_each_listed", "pull request", tree{
			"kit/.github/consumers.txt":      "# who uses it\nacme/app\nacme/site\n",
			"kit/scripts/bump.sh":            "while read -r repo; do\n  gh pr create --repo \"$repo\" --title Bump --body x\ndone < .github/consumers.txt\n",
			"kit/.github/workflows/bump.yml": workflowText("", "      - run: ./scripts/bump.sh\n"),
		}, []string{
			"pull request .github/consumers.txt published kit/.github/workflows/bump.yml:6 via=scripts/bump.sh when=on a push note=into each repository that the file lists sure=90",
		}},
		{"own_repo_pr_dropped", "pull request|unresolved", tree{
			"app/.github/workflows/a.yml": runs("gh pr create --repo \"$GITHUB_REPOSITORY\" --fill", "gh pr create --fill"),
		}, nil},
		{"cross_repo_push", "push|branch", tree{
			"app/.github/workflows/a.yml": workflowText("", `      - uses: actions/checkout@v4
        with: {repository: acme/site, path: out/site}
      - run: git -C out/site push
      - run: |
          git remote add tap https://x:${{ secrets.T }}@github.com/else/homebrew-tap.git
          git push tap HEAD:main
      - run: git push
      - run: git push --dry-run tap main
`)}, []string{
			"push acme/site published app/.github/workflows/a.yml:8 when=on a push",
			"push else/homebrew-tap published app/.github/workflows/a.yml:11 when=on a push",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.want {
				tt.want[i] = strings.ReplaceAll(tt.want[i], " umbrella-", " ")
			}
			tt.files.extract(t, Options{}).wants(t, tt.head, tt.want...)
		})
	}
}

// TestCalledAtTheCallersRef: a called workflow is read as it is at the ref
// that the caller names, whatever it is now.
func TestCalledAtTheCallersRef(t *testing.T) {
	files := tree{
		"app/.github/workflows/a.yml":    "on: push\njobs:\n  x:\n    uses: acme/kit/.github/workflows/n.yml@v1\n",
		"kit/.github/workflows/n.yml":    "on: workflow_call\njobs:\n  x:\n    runs-on: ubuntu-latest\n    steps: [{run: gh api repos/acme/app/dispatches -f event_type=now}]\n",
		"site/.github/workflows/far.yml": "on: push\njobs:\n  x:\n    uses: far/away/.github/workflows/f.yml@main\n",
	}
	then := strings.ReplaceAll(files["kit/.github/workflows/n.yml"], "=now", "=then")
	t.Run("reusable_workflow_resolved_at_caller_ref", func(t *testing.T) {
		at := func(repo int, ref, path string) ([]byte, bool) {
			return []byte(then), repo == 2 && ref == "v1" && path == ".github/workflows/n.yml"
		}
		files.extract(t, Options{At: at}).wants(t, "dispatch",
			"dispatch then sent app/.github/workflows/a.yml:4 via=n.yml@v1 when=on a push")
	})
	t.Run("as it is now, where the clone has no such ref", func(t *testing.T) {
		files.extract(t, Options{}).wants(t, "dispatch",
			"dispatch now sent app/.github/workflows/a.yml:4 via=n.yml@v1 when=on a push note=read as it is at bbbbbbb sure=90")
	})
	t.Run("one that was handed in", func(t *testing.T) {
		given := fstest.MapFS{"far/away/main/.github/workflows/f.yml": {Data: []byte(then)}}
		files.extract(t, Options{Callees: given}).wants(t, "dispatch then|unresolved",
			"dispatch then sent site/.github/workflows/far.yml:4 via=f.yml@main when=on a push note=to acme/app")
	})
}
