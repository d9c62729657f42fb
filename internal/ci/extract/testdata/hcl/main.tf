# The network and what runs in it.

terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  description = "Where everything runs. No default."
  type        = string
}

locals {
  # What all names begin with.
  prefix = "${var.region}-${lookup(local.names, "main", "x")}"
  names = {
    main = data.aws_caller_identity.me.account_id
  }
}

data "aws_caller_identity" "me" {}

/* The only instance. */
resource "aws_instance" "web" {
  count         = var.enabled ? 1 : 0
  ami           = "ami-${local.prefix}"
  subnet_id     = module.network.subnets[0]
  user_data     = <<-EOT
    #!/bin/sh
    echo ${aws_eip.web.public_ip} } " {
  EOT

  lifecycle {
    ignore_changes = [tags["${each.key}"]]
  }
}

module "network" {
  source = "./modules/network"
  cidr   = var.cidr
}

module "far" {
  source = "terraform-aws-modules/vpc/aws"
}

output "address" {
  value = aws_instance.web[*].private_ip
}

resource aws_eip web {}
