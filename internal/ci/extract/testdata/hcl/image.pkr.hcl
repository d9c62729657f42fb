source "amazon-ebs" "base" {
  ami_name = "base-${var.version}"
}

build {
  sources = ["source.amazon-ebs.base"]
}

job "cache" {
  group "redis" {}
}
