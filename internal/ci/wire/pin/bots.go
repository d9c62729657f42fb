package pin

// readDependabot reads which dependencies a bot moves, where and how often.
func readDependabot(f *file) {
	docs, _ := f.documents()
	for _, d := range docs {
		for _, u := range d.get("updates").items() {
			what := u.get("package-ecosystem")
			when := firstOf(u.get("schedule", "interval").str(), u.get("schedule", "cronjob").str())
			dirs := u.get("directories").items()
			if one := u.get("directory"); one != nil {
				dirs = append(dirs, one)
			}
			for _, dir := range dirs {
				f.add(Fact{Role: Moves, Kind: Kind(what.str()), Name: dir.str(), Version: when, Line: what.at(), Note: "Dependabot"})
			}
		}
	}
}
