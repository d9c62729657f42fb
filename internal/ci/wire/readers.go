package wire

// A reader reads one kind of file.
type reader struct {
	wants func(name string) bool // by path in the repository
	read  func(x *extraction, f *file)
}

// readers are asked in order; the first that wants a file reads it.
var readers []reader

func init() { // here, for readers use readerOf themselves
	readers = []reader{
		{isGitmodules, readGitmodules},
		{isSettings, func(*extraction, *file) {}}, // of [readSettings]
		{isWorkflow, readWorkflow},
		{isAction, readAction},
		{isPin, readPins},
		{isScript, readScript},
		{isSupport, func(*extraction, *file) {}},
	}
}

// isSupport reports a file that says nothing by itself, and that the reading
// of others needs: names of packages, targets of make, lists of repositories.
func isSupport(name string) bool {
	return isManifest(name) || isBake(name) || isGoreleaser(name) || isBuildFile(name) || isSite(name) || isRepoList(name)
}

// readerOf is the reader of a file by its path in the repository, or nil.
func readerOf(name string) func(*extraction, *file) {
	for _, r := range readers {
		if r.wants(name) {
			return r.read
		}
	}
	return nil
}

// joins see all files and facts, in order, and add what follows from several
// together.
var joins = []func(*extraction){
	stated, asideWorkflows, follow, pipelines, unrun, scripts,
	joinPins, joinCharts, joinPinFiles, joinBots, joinContracts,
	branchMentions, matchNames, bumps,
}
