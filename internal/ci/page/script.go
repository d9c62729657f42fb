package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strconv"
)

// script is a file of the page that hands over data under a name: a call of
// marolaData with base64 of gzip. Letters of base64 end no text, so that what
// a bundle holds never becomes a part of the program.
func script(name string, packed []byte) []byte {
	out := make([]byte, 0, len(packed)*4/3+len(name)+24)
	out = append(out, "marolaData("...)
	out = strconv.AppendQuoteToASCII(out, name)
	out = append(out, `,"`...)
	out = base64.StdEncoding.AppendEncode(out, packed)
	return append(out, "\")\n"...)
}

// pack is data in gzip, the same bytes each time.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
