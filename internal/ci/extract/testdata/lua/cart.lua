#!/usr/bin/env lua
--- Carts and what is in them.
-- More about carts.
-- @module shop.cart

local M = {}
local util = require("shop.util")
local log = require 'shop.log'
local open, close = io.open, io.close
local insert = table.insert
require "shop.side_effect"
local has, extra = pcall(require, "shop.extra")

M.LIMIT = 3 -- not of what comes next
local count <const> = 0
VERSION = "1.0"

--- A cart of items.
-- @type Cart
local Cart = {}
Cart.__index = Cart
setmetatable(Cart, { __index = util.Base })

--[[ Makes a cart.
     It is empty.
]]
function Cart.new(path, ...)
  local self = setmetatable({}, Cart)
  self.path = path
  self.store = util.Store.new(path)
  self:fill(path)
  return self
end

--- Fills the cart.
-- @param path where from
function Cart:fill(path)
  local item = M.item(path)
  item:weigh()
  local function inner(x) return helper(x) end
  inner(count)
  self.store:put(item)
  for i, v in ipairs(self.items) do
    v:weigh(unknown(i))
  end
  log.info("function not_a_function() end", [==[
    function neither() end ]]
  ]==])
  self:fill "twice"
  self.items[1]:weigh { path = path, on = function() inner(2) end }
  if count > 0 then goto done elseif not path then M.later() else return end
  ::done::
  repeat local more = 1 // 2 until more ~= 1
  while true do break end
end

-- Helps.
local function helper(a, b)
  return a + b, 0x1p4 .. 1.5e3
end

function M.deep.down.here(x) return x end

M.item = function(path) return helper(path, 1) end
M["quoted"] = function() end
M.alias = helper

local later
later = function() helper(1, 2) end

function global_one() later() end

local handlers = {
  -- Opens it.
  open = function(path) return open(path) end,
  ["close"] = function() end,
  nested = { deep = function() return helper() end, size = 3 },
  limit = 10,
  helper,
}

M.colours = { red = 1, green = 2 }

print(.5, pcall(function() local x = 1; y = 2; return { 1 }, 2 end))
return {
  fill = function(x) return x end,
  helper = helper,
}
