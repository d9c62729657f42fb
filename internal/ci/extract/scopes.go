package extract

// A value is what a file tells of a name or an expression: its type, or the
// call whose result it is.
type value struct {
	typ string
	via string
}

// scopes are the local names around the place that is being read, innermost
// last.
type scopes []map[string]value

func (s *scopes) push() { *s = append(*s, make(map[string]value)) }
func (s *scopes) pop()  { *s = (*s)[:len(*s)-1] }

// bind makes name a local one. A name that is bound twice to different types
// has none.
func (s scopes) bind(name string, v value) {
	if len(s) == 0 || name == "" {
		return
	}
	top := s[len(s)-1]
	if old, ok := top[name]; ok && old != v {
		v = value{}
	}
	top[name] = v
}

func (s scopes) lookup(name string) (value, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if v, ok := s[i][name]; ok {
			return v, true
		}
	}
	return value{}, false
}

func (s scopes) local(name string) bool {
	_, ok := s.lookup(name)
	return ok
}
