package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A paper machine runs the tiles for AVX-512 as their source reads, so that
// they are tested where no processor can run them: their addresses, their
// registers and their loops. It knows the few instructions that they use.
type paper struct {
	t      *testing.T
	memory []byte
	args   map[string]int64
	r      map[string]int64
	z      [32][16]uint32
	last   int64 // what the last arithmetic gave: jumps look at it
}

var (
	memoryOperand = regexp.MustCompile(`^(-?\d*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
	argument      = regexp.MustCompile(`^(\w+)\+\d+\(FP\)$`)
)

func (m *paper) address(operand string) int64 {
	p := memoryOperand.FindStringSubmatch(operand)
	if p == nil {
		m.t.Fatalf("no address: %s", operand)
	}
	offset, _ := strconv.ParseInt("0"+p[1], 10, 64)
	scale, _ := strconv.ParseInt("0"+p[4], 10, 64)
	return offset + m.r[p[2]] + m.r[p[3]]*scale
}

func (m *paper) value(operand string) int64 {
	if n, ok := strings.CutPrefix(operand, "$"); ok {
		v, err := strconv.ParseInt(n, 0, 64)
		if err != nil {
			m.t.Fatal(err)
		}
		return v
	}
	if p := argument.FindStringSubmatch(operand); p != nil {
		return m.args[p[1]]
	}
	return m.r[operand]
}

// lanes reads a register, or the 64 bytes at an address.
func (m *paper) lanes(operand string) (v [16]uint32) {
	if operand[0] == 'Z' {
		return m.z[register(operand)]
	}
	at := m.address(operand)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(m.memory[at+int64(4*i):])
	}
	return v
}

func register(operand string) int {
	n, _ := strconv.Atoi(operand[1:])
	return n
}

// pairs multiplies the two halves of each lane and adds them up.
func pairs(a, b uint32) uint32 {
	return uint32(int32(int16(a))*int32(int16(b)) + int32(int16(a>>16))*int32(int16(b>>16)))
}

func (m *paper) step(op string, o []string) {
	f, bits := math.Float32frombits, math.Float32bits
	fma := func(a, b, c uint32) uint32 {
		return bits(float32(float64(f(a))*float64(f(b)) + float64(f(c))))
	}
	each := func(compute func(i int) uint32) {
		for i := range 16 {
			m.z[register(o[len(o)-1])][i] = compute(i)
		}
	}
	var x [3][16]uint32
	if op[0] == 'V' && op != "VPMOVSXBW" && !strings.Contains(op, "BROADCAST") {
		for i, operand := range o[:max(len(o)-1, 0)] {
			x[i] = m.lanes(operand)
		}
		if op[:5] == "VFMAD" || op == "VPDPWSSD" {
			x[2] = m.lanes(o[2])
		}
	}
	switch op {
	case "MOVQ":
		m.r[o[1]] = m.value(o[0])
	case "LEAQ":
		m.r[o[1]] = m.address(o[0])
	case "ADDQ", "SUBQ", "IMULQ":
		a, b := m.r[o[1]], m.value(o[0])
		m.last = map[string]int64{"ADDQ": a + b, "SUBQ": a - b, "IMULQ": a * b}[op]
		m.r[o[1]] = m.last
	case "DECQ":
		m.r[o[0]]--
		m.last = m.r[o[0]]
	case "VMOVUPS", "VMOVAPS":
		if o[1][0] == 'Z' {
			m.z[register(o[1])] = x[0]
			return
		}
		for i, v := range x[0] {
			binary.LittleEndian.PutUint32(m.memory[m.address(o[1])+int64(4*i):], v)
		}
	case "VBROADCASTSS", "VPBROADCASTD":
		v := binary.LittleEndian.Uint32(m.memory[m.address(o[0]):])
		each(func(int) uint32 { return v })
	case "VPMOVSXBW":
		at := m.address(o[0])
		each(func(i int) uint32 {
			low, high := int8(m.memory[at+int64(2*i)]), int8(m.memory[at+int64(2*i)+1])
			return uint32(uint16(int16(low))) | uint32(uint16(int16(high)))<<16
		})
	case "VFMADD231PS":
		each(func(i int) uint32 { return fma(x[0][i], x[1][i], x[2][i]) })
	case "VFMADD213PS":
		each(func(i int) uint32 { return fma(x[1][i], x[2][i], x[0][i]) })
	case "VMULPS":
		each(func(i int) uint32 { return bits(f(x[0][i]) * f(x[1][i])) })
	case "VCVTDQ2PS":
		each(func(i int) uint32 { return bits(float32(int32(x[0][i]))) })
	case "VPXORD":
		each(func(i int) uint32 { return x[0][i] ^ x[1][i] })
	case "VPADDD":
		each(func(i int) uint32 { return x[0][i] + x[1][i] })
	case "VPMADDWD":
		each(func(i int) uint32 { return pairs(x[0][i], x[1][i]) })
	case "VPDPWSSD":
		each(func(i int) uint32 { return x[2][i] + pairs(x[0][i], x[1][i]) })
	case "VZEROUPPER":
	default:
		m.t.Fatalf("the paper machine does not know %s", op)
	}
}

// run runs a function's lines up to its RET.
func (m *paper) run(lines []string) {
	labels := map[string]int{}
	for i, line := range lines {
		if name, ok := strings.CutSuffix(line, ":"); ok {
			labels[name] = i
		}
	}
	for at := 0; ; at++ {
		op, rest, _ := strings.Cut(strings.TrimSpace(lines[at]), " ")
		o := strings.Split(rest, ", ")
		switch {
		case op == "RET":
			return
		case strings.HasSuffix(op, ":"):
		case op[0] == 'J':
			if map[string]bool{"JLT": m.last < 0, "JGE": m.last >= 0, "JEQ": m.last == 0, "JNE": m.last != 0}[op] {
				at = labels[o[0]]
			}
		default:
			m.step(op, o)
		}
	}
}

// functions are the lines of each function of a source.
func functions(t *testing.T, file string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, part := range strings.Split(string(data), "\nTEXT ·")[1:] {
		lines := strings.Split(part, "\n")
		name, _, _ := strings.Cut(lines[0], "(")
		found[name] = lines[1:]
	}
	return found
}

// A room lays values out in the memory of a paper machine, with marks between.
type room struct{ memory []byte }

func (r *room) floats(values []float32) int64 {
	at := int64(len(r.memory))
	for _, v := range values {
		r.memory = binary.LittleEndian.AppendUint32(r.memory, math.Float32bits(v))
	}
	r.memory = append(r.memory, 0xee, 0xee, 0xee, 0x7e)
	return at
}

func (r *room) bytes(values []byte) int64 {
	at := int64(len(r.memory))
	r.memory = append(r.memory, values...)
	return at
}

func read(memory []byte, at int64, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(memory[at+int64(4*i):]))
	}
	return values
}

func TestTilesForAVX512OnPaper(t *testing.T) {
	code := functions(t, "products_amd64.s")
	r := rand.New(rand.NewPCG(7, 8))
	tested := 0
	for panels := 1; panels <= 2; panels++ {
		for rows := 1; rows <= 12; rows++ {
			for _, k := range []int{1, 6, 16, 48} {
				n, lda, ldc := panels*Width, k+3, panels*Width+5
				a, b, bias := random(r, rows*lda, 1), random(r, k*n, 1), random(r, n, 1)
				want := make([]float32, rows*ldc)
				for i := range want {
					want[i] = mark
				}
				got := &room{}
				c := got.floats(want)
				portable.Float(want, ldc, a, lda, rows, k, b, n, bias)
				m := &paper{t: t, r: map[string]int64{}, args: map[string]int64{
					"c": c, "ldc": int64(4 * ldc), "a": got.floats(a), "lda": int64(4 * lda), "k": int64(k), "b": got.floats(b), "bias": got.floats(bias)}}
				m.memory = got.memory
				m.run(code[fmt.Sprintf("floatAVX512_%dx%d", rows, panels)])
				if where := far(read(m.memory, c, len(want)), want, 1e-5); where != "" {
					t.Fatalf("%d rows of %d by %d panels of floats: %s", rows, k, panels, where)
				}
				tested++
				if k%Width != 0 {
					continue
				}
				var q Rows
				portable.Quantise(&q, a[:rows*k], k, rows, k)
				small, raw := make([]int8, k*n), make([]byte, k*n)
				for i := range small {
					small[i] = int8(r.IntN(255) - 127)
					raw[i] = byte(small[i])
				}
				var values []byte
				for _, v := range q.values {
					values = binary.LittleEndian.AppendUint16(values, uint16(v))
				}
				scale := random(r, n, 0.01)
				for _, suffix := range []string{"AVX512", "VNNI"} {
					for i := range want {
						want[i] = mark
					}
					got := &room{}
					c := got.floats(want)
					portable.Bytes(want, ldc, &q, rows, small, n, scale, bias)
					m := &paper{t: t, r: map[string]int64{}, args: map[string]int64{
						"c": c, "ldc": int64(4 * ldc), "q": got.bytes(values), "rowScale": got.floats(q.scale), "ldq": int64(2 * k), "k": int64(k),
						"b": got.bytes(raw), "scale": got.floats(scale), "bias": got.floats(bias)}}
					m.memory = got.memory
					m.run(code[fmt.Sprintf("bytes%s_%dx%d", suffix, rows, panels)])
					if where := far(read(m.memory, c, len(want)), want, 1e-6); where != "" {
						t.Fatalf("%d rows of %d by %d panels of bytes (%s): %s", rows, k, panels, suffix, where)
					}
					tested++
				}
			}
		}
	}
	if tested != 2*12*(4+2*2) {
		t.Errorf("%d tiles were tested", tested)
	}
}
