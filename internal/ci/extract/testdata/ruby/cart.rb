#!/usr/bin/env ruby
# frozen_string_literal: true

# Carts and what is in them. More words.

require "set"
require_relative "item"
require_relative "../lib/money"
autoload :Ledger, "shop/ledger"
require name_of_a_file

module Shop
  # How many items fit.
  LIMIT = 3
  FIRST, SECOND = 1, 2 # not of what comes next
  class Error < StandardError; end

  Point = Struct.new(:x, :y) do
    def distance(other) = Math.hypot(x - other.x, y)
  end
  Pair = Data.define(:left, :right)
  Full = Class.new(Error) { def message; "full"; end }

  class << self
    attr_accessor :config

    # Opens a shop.
    #
    # @param path [String] where
    def open(path, mode: "r", &block)
      cart = Cart.new(path)
      cart.fill(mode)
      helper
    end
  end

  # A cart of items. Not a basket.
  class Cart < Base::Thing
    include Comparable, Shop::Countable
    extend Forwardable
    prepend Logged
    attr_reader :items, "label"
    attr_writer :items
    alias size count
    alias_method :length, :count
    def_delegators :@items, :each, :map
    def_delegator :@items, :push, :add

    define_method(:total) { |scale = LIMIT| sum(scale) }
    %w[red green].each { |c| define_method("#{c}?") { colour == c } }

    def self.build(*args, **options) = new(*args)

    def initialize(path)
      super()
      @path = path
      @store = Store.new(path)
    end

    def ==(other)
      other.is_a?(Cart) && items == other.items
    end

    def []=(at, item); @items[at] = item; end

    def fill(mode)
      @store.put(mode)
      self.total
      item = Shop::Item.new(mode)
      item.weigh
      items.each do |i|
        i.weigh(unknown)
        Ledger::Book.write(i)
      end
      text = <<~EOS
        def not_a_method; end
        class NotAClass
        #{inside_heredoc}
      EOS
      warn text
      super
    rescue Error => e
      report e
    end

    def count; items.size; end

    private

    attr_reader :hidden_field

    def secret; end

    public def shown; end
    protected

    def guarded; end
  end

  class Cart
    # Opened again.
    def reopened; end
    private def other_secret; end
    def late; end
    private :late
    private_class_method :build
  end

  class Deep::Down::Here; end

  module Countable
    def count_all; end
  end
end

class Shop::Outside
  class Inner
    def go; end
  end
end

$verbose = false
local = 1

def helper(a, b = LIMIT)
  [a, b]
end

def main
  Shop.open(ARGV[0])
  local
end

if __FILE__ == $0
  main
end
