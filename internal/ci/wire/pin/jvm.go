package pin

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
)

// sbtDependency is "group" % "artifact" % "version" in any of its spellings.
var (
	sbtDependency = regexp.MustCompile(`"([A-Za-z0-9_.-]+)"\s*%{1,3}\s*"([A-Za-z0-9_.-]+)"\s*%\s*("[^"]*"|[\w.]+)`)
	sbtSetting    = regexp.MustCompile(`(?:^|[\s(,])(?:ThisBuild\s*/\s*)?(organization|name|scalaVersion|sbt\.version)(?:\s+in\s+\w+)?\s*:?=\s*"?([A-Za-z0-9_.-]+)`)
	sbtConstant   = regexp.MustCompile(`\bval\s+([A-Za-z0-9_]+)(?:\s*:\s*String)?\s*=\s*"([^"$]+)"`)
	sbtImage      = regexp.MustCompile(`(?:dockerBaseImage\s*:=.*|getOrElse\()"([^"]+:[^"]+)"|\bfrom\("([^"]+)"\)|"FROM ([^" ]+)|Cmd\("FROM",\s*"([^"]+)"`)
	sbtProject    = regexp.MustCompile(`ProjectRef\(\s*uri\("([^"]+)"\)`)
)

// readSbt reads the dependencies of a Scala build and what it fetches.
func readSbt(f *file) {
	var group, name string
	line, base := 0, 0 // base is where the setting of the image begins that images are made from
	constants := map[string]string{}
	f.code(func(n int, text string) {
		for _, m := range sbtDependency.FindAllStringSubmatch(text, 20) {
			f.add(Fact{Role: Pins, Kind: Maven, Name: m[1] + ":" + scalaArtifact(m[2]), Version: strings.Trim(m[3], `"`), Line: n})
		}
		for _, m := range sbtConstant.FindAllStringSubmatch(text, 5) {
			constants[m[1]] = m[2]
		}
		for _, m := range sbtSetting.FindAllStringSubmatch(text, 5) {
			switch {
			case m[1] == "organization" && group == "":
				group = m[2]
			case m[1] == "name" && name == "":
				name, line = m[2], n
			case m[1] == "scalaVersion":
				f.add(Fact{Role: Pins, Kind: Toolchain, Name: "scala", Version: firstOf(constants[m[2]], m[2]), Line: n})
			}
		}
		if strings.Contains(text, "dockerBaseImage") {
			base = n
		}
		for _, m := range sbtImage.FindAllStringSubmatch(text, 5) {
			if strings.HasPrefix(m[0], "getOrElse") && (base == 0 || n-base > 3) {
				continue
			}
			f.image(Reads, firstOf(m[1], m[2], m[3], m[4]), n, "sbt")
		}
		for _, m := range sbtProject.FindAllStringSubmatch(text, 5) {
			f.repository(Pins, m[1], "", n, "sbt project")
		}
		f.addresses(text, n)
	})
	if group != "" && name != "" {
		f.add(Fact{Role: Declares, Kind: Maven, Name: group + ":" + name, Line: line})
	}
}

// scalaSuffix is the Scala version in the name of an artifact.
var scalaSuffix = regexp.MustCompile(`_(?:2\.\d+(?:\.\d+)?|3)$`)

func scalaArtifact(name string) string { return scalaSuffix.ReplaceAllString(name, "") }

// readPom reads pom.xml.
func readPom(f *file) {
	dec := xml.NewDecoder(bytes.NewReader(f.data))
	dec.Strict = false
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var stack []string
	properties := map[string]string{}
	type artifact struct {
		group, name, version string
		line                 int
	}
	var project, parent artifact
	var deps []artifact
	current := &project
	for {
		token, err := dec.Token()
		if err != nil || len(stack) > maxDepth {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			stack = append(stack, t.Name.Local)
			line, _ := dec.InputPos()
			switch path := strings.Join(stack, "/"); {
			case path == "project/parent":
				current = &parent
			case t.Name.Local == "dependency" || t.Name.Local == "plugin" || t.Name.Local == "extension":
				deps = append(deps, artifact{line: line})
				current = &deps[len(deps)-1]
			}
		case xml.EndElement:
			if n := len(stack); n > 0 {
				switch stack[n-1] {
				case "parent", "dependency", "plugin", "extension":
					current = &project
				}
				stack = stack[:n-1]
			}
		case xml.CharData:
			text := strings.TrimSpace(string(t))
			if text == "" || len(stack) < 2 {
				continue
			}
			line, _ := dec.InputPos()
			last, holder := stack[len(stack)-1], stack[len(stack)-2]
			if holder == "properties" {
				properties[last] = text
			}
			if holder != "project" && holder != "parent" && holder != "dependency" && holder != "plugin" && holder != "extension" {
				continue
			}
			switch last {
			case "groupId":
				current.group = text
			case "artifactId":
				current.name, current.line = text, line
			case "version":
				current.version = text
			}
		}
	}
	properties["project.groupId"] = firstOf(project.group, parent.group)
	properties["project.version"] = firstOf(project.version, parent.version)
	value := func(s string) string {
		if name, ok := strings.CutPrefix(s, "${"); ok {
			return firstOf(properties[strings.TrimSuffix(name, "}")], s)
		}
		return s
	}
	if project.name != "" && properties["project.groupId"] != "" {
		f.add(Fact{Role: Declares, Kind: Maven, Name: properties["project.groupId"] + ":" + scalaArtifact(project.name), Version: properties["project.version"], Line: project.line})
	}
	for _, a := range append(deps, parent) {
		if a.name != "" {
			f.add(Fact{Role: Pins, Kind: Maven, Name: firstOf(value(a.group), "org.apache.maven.plugins") + ":" + scalaArtifact(value(a.name)), Version: value(a.version), Line: a.line})
		}
	}
	for _, key := range []string{"maven.compiler.release", "java.version"} {
		if v := properties[key]; v != "" {
			f.each(func(n int, text string) {
				if strings.Contains(text, "<"+key+">") {
					f.add(Fact{Role: Pins, Kind: Toolchain, Name: "java", Version: v, Line: n})
				}
			})
		}
	}
}

var (
	gradleDependency = regexp.MustCompile(`["']([A-Za-z0-9_.-]+):([A-Za-z0-9_.-]+):([^"':@]+)(?:[:@][^"']*)?["']`)
	gradlePlugin     = regexp.MustCompile(`\bid\s*\(?\s*["']([A-Za-z0-9_.-]+)["']\s*\)?\s*version\s*\(?\s*["']([^"']+)["']`)
	gradleImage      = regexp.MustCompile(`\b(?:image|baseImage)\s*=\s*["']([^"']+)["']`)
)

// readGradle reads a Gradle build in either language.
func readGradle(f *file) {
	f.code(func(n int, text string) {
		for _, m := range gradleDependency.FindAllStringSubmatch(text, 20) {
			f.add(Fact{Role: Pins, Kind: Maven, Name: m[1] + ":" + scalaArtifact(m[2]), Version: m[3], Line: n})
		}
		for _, m := range gradlePlugin.FindAllStringSubmatch(text, 20) {
			f.add(Fact{Role: Pins, Kind: Maven, Name: m[1] + ":" + m[1] + ".gradle.plugin", Version: m[2], Line: n})
		}
		for _, m := range gradleImage.FindAllStringSubmatch(text, 5) {
			if strings.ContainsAny(m[1], "/:") {
				f.image(Reads, m[1], n, "gradle")
			}
		}
		f.addresses(text, n)
	})
}

// readVersionCatalog reads libs.versions.toml.
func readVersionCatalog(f *file) {
	d := parseTOML(f.data)
	for _, e := range d.get("libraries").entries() {
		n := e.node
		group, name, version := n.get("group").str(), n.get("name").str(), ""
		if module := firstOf(n.get("module").str(), n.str()); module != "" {
			parts := strings.SplitN(module, ":", 3)
			if len(parts) < 2 {
				continue
			}
			group, name = parts[0], parts[1]
			if len(parts) == 3 {
				version = parts[2]
			}
		}
		if ref := n.get("version", "ref").str(); ref != "" {
			version = d.get("versions").get(ref).str()
		}
		version = firstOf(version, n.get("version").str())
		if group != "" && name != "" {
			f.add(Fact{Role: Pins, Kind: Maven, Name: group + ":" + scalaArtifact(name), Version: version, Line: e.line})
		}
	}
}
