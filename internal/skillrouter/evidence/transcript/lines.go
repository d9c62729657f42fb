package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

// backwards gives the lines of a file, last to first, until see is false. A
// line that is too long is passed over; see must not keep any.
func backwards(ctx context.Context, r io.ReaderAt, size int64, see func(line []byte) bool) error {
	var tail [][]byte // pieces of the line that is being read, last first
	length := 0       // of the pieces; above maxLine: they are given up
	whole := func(head []byte) []byte {
		if length+len(head) > maxLine {
			return nil
		}
		if len(tail) == 0 {
			return bytes.TrimSpace(head)
		}
		line := slices.Clone(head)
		for i := len(tail) - 1; i >= 0; i-- {
			line = append(line, tail[i]...)
		}
		return bytes.TrimSpace(line)
	}
	for end := size; end > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := max(0, end-block)
		data := make([]byte, end-start)
		if _, err := r.ReadAt(data, start); err != nil && err != io.EOF {
			return err
		}
		end = start
		for {
			i := bytes.LastIndexByte(data, '\n')
			if i < 0 {
				break
			}
			if line := whole(data[i+1:]); len(line) > 0 && !see(line) {
				return nil
			}
			tail, length, data = nil, 0, data[:i]
		}
		if length += len(data); length <= maxLine {
			tail = append(tail, data)
		} else {
			tail = nil
		}
	}
	if line := whole(nil); len(line) > 0 {
		see(line)
	}
	return nil
}

// forwards gives the lines of a text, first to last, until see is false. A
// line that is too long is passed over.
func forwards(ctx context.Context, r io.Reader, see func(line []byte) bool) error {
	in := bufio.NewReaderSize(r, block)
	var line []byte
	long := false
	for n := 0; ; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		piece, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && err != io.EOF {
			return err
		}
		if long = long || len(line)+len(piece) > maxLine; !long {
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !long && len(bytes.TrimSpace(line)) > 0 && !see(line) {
			return nil
		}
		if cap(line) > 1<<20 {
			line = nil
		}
		if line, long = line[:0], false; err == io.EOF {
			return nil
		}
	}
}
