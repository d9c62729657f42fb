package githost

import (
	_ "embed"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// graphQLDocs documents what updateRefs does.
const graphQLDocs = "https://docs.github.com/graphql/reference/mutations#updaterefs"

//go:embed testdata/updaterefs.graphql
var schemaText string

// inputs are the members of the input types of the schema: their types by
// name.
func inputs() map[string]map[string]string {
	types, at := map[string]map[string]string{}, ""
	for line := range strings.Lines(schemaText) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "", strings.HasPrefix(line, "#"), kind == "mutation":
		case kind == "input", kind == "payload":
			at = rest
			types[at] = map[string]string{}
		default:
			types[at][strings.TrimSuffix(kind, ":")] = rest
		}
	}
	return types
}

// document is the only shape of query that is asked here: one mutation with
// one variable and the fields of its payload.
var document = regexp.MustCompile(`^\s*mutation\s*\w*\s*\(\s*\$(\w+)\s*:\s*(\w+!?)\s*\)\s*\{\s*(\w+)\s*\(\s*input\s*:\s*\$(\w+)\s*\)\s*\{\s*([\w\s,]+?)\s*\}\s*\}\s*$`)

// graphql answers a request of GraphQL. Its errors come with status 200.
func (h *Host) graphql(data []byte, r *http.Request) reply {
	head := http.Header{}
	over := h.spend(head)
	done := func(a reply) reply {
		a.header = map[string]string{}
		for name := range head {
			a.header[name] = head.Get(name)
		}
		return a
	}
	fail := func(kind, message string) reply {
		return done(ok(http.StatusOK, Object{"data": Object{"updateRefs": nil}, "errors": []any{Object{"type": kind, "path": []any{"updateRefs"}, "message": message, "documentation_url": graphQLDocs}}}))
	}
	who, good := h.who(r)
	if !good || who == nil {
		return no(http.StatusUnauthorized, "Bad credentials")
	}
	if over {
		return fail("RATE_LIMITED", "API rate limit exceeded for installation.")
	}
	v, err := decode(data)
	body, _ := v.(Object)
	query, _ := body["query"].(string)
	if err != nil || query == "" {
		return no(http.StatusBadRequest, "Problems parsing JSON")
	}
	types := inputs()
	m := document.FindStringSubmatch(query)
	if m == nil || m[1] != m[4] || m[2] != "UpdateRefsInput!" || m[3] != "updateRefs" {
		h.blame("the query is not one that the schema takes: %s", query)
		return fail("undefinedField", "Field does not exist")
	}
	for field := range strings.FieldsSeq(strings.ReplaceAll(m[5], ",", " ")) {
		if types["UpdateRefsPayload"][field] == "" {
			h.blame("UpdateRefsPayload has no %s", field)
		}
	}
	variables, _ := body["variables"].(Object)
	input, _ := variables[m[1]].(Object)
	if err := checkInput(types, "UpdateRefsInput!", variables[m[1]]); err != nil {
		h.blame("the input is not one that the schema takes: %v", err)
		return fail("argumentLiteralsIncompatible", err.Error())
	}
	repo := h.byNode(fmt.Sprint(input["repositoryId"]))
	if repo == nil || !who.sees(repo) {
		return fail("NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%v'.", input["repositoryId"]))
	}
	if !who.may("contents", "write", repo) {
		return fail("FORBIDDEN", "Resource not accessible by integration")
	}
	updates, _ := input["refUpdates"].([]any)
	if message := repo.updateRefs(who, updates); message != "" {
		return fail("UNPROCESSABLE", message)
	}
	return done(ok(http.StatusOK, Object{"data": Object{"updateRefs": Object{"clientMutationId": input["clientMutationId"]}}}))
}

// updateRefs moves refs, all or none, and says why not.
func (r *Repository) updateRefs(who *actor, updates []any) string {
	refs, err := r.refs()
	if err != nil {
		return "Something went wrong while executing your query."
	}
	stdin := ""
	for _, item := range updates {
		u, _ := item.(Object)
		name, after := fmt.Sprint(u["name"]), fmt.Sprint(u["afterOid"])
		now := refs[name]
		before, bound := u["beforeOid"].(string)
		if !bound {
			before = now
		}
		to := change{name, strings.TrimRight(before, "0"), strings.TrimRight(after, "0")}
		if to.old != "" {
			to.old = before
		}
		if to.new != "" {
			to.new = after
		}
		switch {
		case !validRef(name):
			return fmt.Sprintf("%q is not a valid ref name.", name)
		case to.new != "" && !r.is("commit", to.new):
			return "Object does not exist: " + after
		case now != to.old:
			return fmt.Sprintf("Expected %s to point to %q but it did not", name, before)
		case u["force"] != true && to.old != "" && to.new != "" && !r.descends(to.new, to.old):
			return "Update is not a fast forward"
		}
		if broken := r.violations(who, to); len(broken) > 0 {
			return ruleText(broken)
		}
		if err := r.hooks(name, to.old, to.new); err != nil {
			return err.Error()
		}
		old := to.old
		if old == "" {
			old = zero
		}
		if to.new == "" {
			stdin += fmt.Sprintf("delete %s %s\n", name, old)
		} else {
			stdin += fmt.Sprintf("update %s %s %s\n", name, to.new, old)
		}
	}
	if _, err := r.host.run(stdin, "-C", r.Dir, "update-ref", "--stdin"); err != nil {
		return "The refs could not be updated"
	}
	return ""
}

// checkInput holds a value to a type of the schema.
func checkInput(types map[string]map[string]string, of string, v any) error {
	of, required := strings.CutSuffix(of, "!")
	if v == nil {
		if required {
			return fmt.Errorf("a %s is missing", of)
		}
		return nil
	}
	if inner, ok := strings.CutPrefix(of, "["); ok {
		list, isList := v.([]any)
		if !isList {
			return fmt.Errorf("%v is no list", v)
		}
		for _, item := range list {
			if err := checkInput(types, strings.TrimSuffix(inner, "]"), item); err != nil {
				return err
			}
		}
		return nil
	}
	members, isObject := types[of]
	if !isObject {
		return checkScalar(of, v)
	}
	o, ok := v.(Object)
	if !ok {
		return fmt.Errorf("%v is no %s", v, of)
	}
	for name := range o {
		if members[name] == "" {
			return fmt.Errorf("%s has no %s", of, name)
		}
	}
	for name, kind := range members {
		if err := checkInput(types, kind, o[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func checkScalar(of string, v any) error {
	text, isText := v.(string)
	_, isBool := v.(bool)
	fits := map[string]bool{
		"Boolean": isBool, "String": isText, "ID": isText && text != "",
		"GitObjectID": isText && hash.MatchString(text), "GitRefname": isText && strings.HasPrefix(text, "refs/"),
	}
	if known := slices.Contains([]string{"Boolean", "String", "ID", "GitObjectID", "GitRefname"}, of); !known || !fits[of] {
		return fmt.Errorf("%v is no %s", v, of)
	}
	return nil
}
