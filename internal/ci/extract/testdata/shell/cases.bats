load helper

setup() { prepare; }

# It runs.
@test "runs the build" {
  run build
  [ "$status" -eq 0 ]
}
