# Where production is.
region = "eu-central-1"
zones = [
  "a",
  "b",
]
api_token = "hunter2"
