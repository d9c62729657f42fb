package rank

// keepShare is how near to the best score another must be to be shown with
// it.
const keepShare = 0.55

// twinCosine is the likeness from which two skills are one in two places:
// showing both takes the place of another.
const twinCosine = 0.985

// show decides how many of the ordered picks to show, and why. It moves twins
// of better picks behind those that are shown.
func show(need Need, picks []Pick, o Options) (n int, reason string) {
	usable, asked := 0, 0
	for usable < len(picks) && (picks[usable].Terms.Factor >= 0 || picks[usable].Terms.Mentioned) {
		usable++
	}
	for asked < usable && picks[asked].Terms.Mentioned {
		asked++
	}
	most := min(o.TopK, usable)
	if !o.Dynamic {
		return most, "as many as asked for"
	}
	if asked > 0 {
		return min(asked, most), "asked for by name"
	}
	switch {
	case most == 0:
		return 0, "there is no skill"
	case need.Chat:
		return 0, "small talk"
	case need.Value() <= 0:
		return 0, "none stands out"
	}
	separate(picks[:usable], most)
	top := picks[0].Score
	for n = 1; n < most && picks[n].Score-picks[n].Terms.Silence >= keepShare*top; n++ {
	}
	return n, "near the best"
}

// separate moves each pick that is the twin of a better one behind the first
// most that are none.
func separate(picks []Pick, most int) {
	for kept := 0; kept < most; {
		moved := 0
		for kept+moved < len(picks) && twinOfAny(picks[:kept], picks[kept]) {
			twin := picks[kept]
			copy(picks[kept:], picks[kept+1:])
			picks[len(picks)-1] = twin
			moved++
		}
		if kept+moved >= len(picks) {
			return
		}
		kept++
	}
}

func twinOfAny(better []Pick, p Pick) bool {
	for _, b := range better {
		if b.Skill.Description == p.Skill.Description || b.content.Head.Cosine(p.content.Head) >= twinCosine {
			return true
		}
	}
	return false
}
