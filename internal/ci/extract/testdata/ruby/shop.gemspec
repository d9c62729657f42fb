Gem::Specification.new do |spec|
  spec.name = "shop"
  spec.files = Dir["lib/**/*.rb"]
  VERSION = "1.0"
end
