package rank

import (
	"regexp"
	"strings"
	"sync"
)

// A form is what kind of utterance a prompt is, told from its grammar alone.
// Skills help with work. A fact, an opinion or a greeting needs none, however
// many words it shares with one.
type form struct {
	Fact bool // asks for a fact, an opinion or a comparison
	Task bool // orders work, or tells of one's own things
	Chat bool // greets, thanks, agrees
}

// maxChat is the longest small talk, in words.
const maxChat = 6

func formOf(prompt string) form {
	text := strings.Join(strings.Fields(strings.ToLower(prompt)), " ")
	text = polite().ReplaceAllString(text, "")
	first, rest, _ := strings.Cut(text, " ")
	first = strings.Trim(first, ",.!?:;")
	ordered := orders()[first] || (first == "fine" || first == "auto") && orders()[strings.TrimPrefix(rest, "-")]
	if before, after, ok := strings.Cut(first, "-"); ok {
		ordered = ordered || orders()[before] || orders()[after]
	}
	f := form{Task: ordered || own().MatchString(text)}
	f.Chat = !f.Task && len(strings.Fields(text)) <= maxChat && chat().MatchString(text)
	f.Fact = !ordered && (openers().MatchString(text) || matchAny(facts(), text))
	return f
}

// lazy is a pattern that is compiled when it is first used: a process that
// leaves ranking to the daemon starts sooner.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// polite is what stands before an order or a question and says nothing.
var polite = lazy(`^(?:(?:(?:yes|yeah|yep|sure|great|cool|nice|perfect|thanks|thank you)[,.!]? (?:and|now|then|but|please|next|also)|please|pls|now|then|next|also|ok|okay|so|and|but|hey|hi|just|quick question|curious|btw|can you|could you|would you|can we|could we|` +
	`i want(?: you)? to|i need(?: you)? to|i(?:'d| would) like(?: you)? to|we (?:need|want|have) to|help (?:me|us)(?: to)?|let'?s|go(?: ahead)? and|tell me|i wonder)[,:]? )+`)

// openers begin questions that are answered, not worked on.
var openers = lazy(`^(?:(?:see|hear|remember|understand) (?:me|my|us|this|that|what)\b|what(?:'s| is| are| was| were| does| did| year| day)\b|who\b|whose\b|when (?:is|was|were|did|does|will)\b|where (?:is|was|were|does|did)\b|why (?:is|are|was|were|does|do|did)\b|` +
	`which (?:is|one|are|was)\b|is\b|are\b|was\b|were\b|does\b|did\b|do (?:you|people|we still)\b|should (?:i|we|one) (?:use|learn|pick|choose|prefer|buy)\b|will\b|` +
	`how (?:many|much|old|tall|far|long|popular|fast|big) (?:is|are|was|were|do|does|did)?)`)

// facts tell, wherever they stand, that somebody asks for trivia, an opinion
// or a comparison.
var facts = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\b(?:vs\.?|versus)( |$)`),
		regexp.MustCompile(`^[^ ,]+(?: [^ ,]+)? or [^ ,]+(?: [^ ,]+){0,4}$`),
		regexp.MustCompile(`\bdifferences? between\b|\bdifferences\??$|\btrade-?offs?\??$|\bpros and cons\b`),
		regexp.MustCompile(`\b(?:meaning|definition|history|origins?|creator|inventor|founder|author|capital|population|acronym|etymology|year|age|height|distance|speed) of\b|\bstands? for\b`),
		regexp.MustCompile(`\b(?:fun fact|trivia|joke|riddle|poem|haiku|recipe|horoscope|gift|movie|song|weather|dinner|lunch|breakfast|pizza|holiday|vacation)s?\b`),
		regexp.MustCompile(`^(?:an? |the |any )?(?:good|best|better|favou?rite|popular|nicest?|coolest) .* (?:for|in|to)\b`),
		regexp.MustCompile(`\b(?:still|more|most|less) (?:popular|relevant|worth|used|sense|alive|common)\b|\bmakes? sense\b|\bin 20\d\d\??$`),
	}
})

// own tells of one's own things, of a plan, or of trouble.
var own = lazy(`\b(?:my|our|we're|we are|i'm|i am|i have|we have|i've|we've|i want|i need|we need|how (?:do|can|should|would) (?:i|we)|how to|getting started|keeps? (?:failing|crashing|hanging))\b`)

var chat = lazy(`^(?:hello|hi|hey|yo|good (?:morning|afternoon|evening|night)|thanks?|thx|cheers|cool|nice|great|awesome|perfect|ok|okay|yes|yep|yeah|no|nope|sure|sounds good|looks good|` +
	`lgtm|go on|go ahead|continue|proceed|never ?mind|stop|wait|bye|goodbye|how are you|what'?s up|are you there)\b`)

func matchAny(list []*regexp.Regexp, text string) bool {
	for _, re := range list {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// orders are verbs that begin work when they begin a prompt.
var orders = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`add adapt adjust align analyse analyze annotate apply architect archive assemble assert assess attach audit authenticate
		automate backport backup balance batch benchmark bind block bootstrap break bring build bump cache calculate capture catch change check
		choose chunk classify clean clone cluster collect combine commit compare compile compose compress compute configure connect consolidate
		containerize convert coordinate copy correct cover crawl create crop curate customize cut debug decode decompose decrypt deduplicate define
		delete deploy derive design detect develop diagnose diff disable dispatch dockerize document download draft draw drop dump edit embed emit
		enable encode encrypt enforce engineer enrich ensure estimate evaluate execute expand explore export expose extend extract fetch filter
		find finetune fix flag flatten format forward gather generate grab group handle harden highlight host implement import improve index infer
		ingest initialise initialize inject inspect install instrument integrate interpret investigate invoke isolate join kill label launch lay
		limit link lint list load localize locate lock log maintain make manage map mask measure merge migrate mirror mock model modernize modify
		monitor mount move navigate normalise normalize notify obtain onboard open optimise optimize orchestrate organise organize outline package
		paginate parallelize parse patch pin pipe plan plot point poll populate port post prepare preprocess preserve prevent print prioritize
		process produce profile propose protect prototype provision prune publish pull push put query queue quantize rank read rebase rebuild
		receive recommend reconcile record recover redact reduce refactor refresh register release reload remove rename render reorder repair
		replace replicate report reproduce research reset resize resolve respond restart restore restructure retrieve retry revert review revoke
		rewrite roll rotate route run sanitize save scaffold scale scan schedule scope scrape script search secure seed select send separate
		serve set setup shard share ship shorten shrink sign simplify simulate sketch slice smooth solve sort spawn speed spin split squash stabilize
		stage stand standardize start stop store stream stress strip structure style submit suggest summarise summarize support surface swap switch
		sync synthesize tag take tell test throttle tidy tighten tokenize toggle trace track train transcribe transfer transform translate transpile
		trigger trim triage troubleshoot tune turn type unblock undo unify unit upgrade update upload validate vectorize verify version view
		visualise visualize vote wait walk warm watch wire wrap write zip`) {
		set[w] = true
	}
	return set
})
