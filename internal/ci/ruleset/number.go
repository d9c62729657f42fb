package ruleset

import (
	"math/big"
	"strings"
)

// maxZeros is how many zeros a canonical number is written out with; beyond,
// it keeps an exponent, for "1e999999999" must not become a gigabyte.
const maxZeros = 21

// maxLetters is how long a number is that is looked into.
const maxLetters = 1000

// canonicalNumber is the one spelling of a JSON number's value: 1, 1.0 and
// 10e-1 are "1". No digit is lost.
func canonicalNumber(literal string) string {
	if len(literal) > maxLetters {
		return literal
	}
	sign := ""
	if rest, negative := strings.CutPrefix(literal, "-"); negative {
		sign, literal = "-", rest
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(literal), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	exponent := new(big.Int)
	if power != "" {
		exponent.SetString(strings.TrimPrefix(power, "+"), 10)
	}
	exponent.Sub(exponent, big.NewInt(int64(len(fraction))))
	short := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(short))))
	switch {
	case exponent.Sign() == 0:
		return sign + short
	case exponent.Sign() > 0 && exponent.IsInt64() && exponent.Int64() <= maxZeros:
		return sign + short + strings.Repeat("0", int(exponent.Int64()))
	}
	return sign + short + "e" + exponent.String()
}
