#!/usr/bin/env node
'use strict';
/**
 * @fileoverview Runs the app. It renders too.
 */

import React, { useState as useS } from 'react';
import * as api from './api.js';
import './side-effect.css';
const path = require('path');
const { read, write: put } = require('./files');
const parse = require('./parser').parse;
export { default as Deep, other } from './deep.js';
export * from './all.js';

/** Adds two numbers. */
export function add(a, b = DEFAULT) {
  return sum(a, b);
}

// Says hello.
const hello = async (name) => {
  const res = await api.get(name);
  res.json().then(show);
  const inner = () => hello(name);
  function deep() { return inner(); }
  return deep();
};

export const Button = React.memo(({ label, ...rest }) => <Icon.Small {...rest} onClick={() => track(label)} />);

export default class App extends React.Component {
  static defaults = { a: 1 };
  state = new Store();
  #secret = 1;

  constructor(props) {
    super(props);
    this.client = new Client(props);
  }

  /** Handles a click. */
  handle = (event) => { this.state.update(event); this.client.send(event); };

  get title() { return this.props.title; }
  set title(v) { this.v = v; }

  static async load() { return import('./lazy.js'); }

  render() {
    return (
      <Layout title={this.title}>
        <Button label="x" onPress={this.handle} />
        <div>{hello('x')}</div>
      </Layout>
    );
  }
}

const printer = {
  // Prints a node.
  print(node) { return this.visit(node); },
  visit: function (n) { return walk(n); },
  embed: () => null,
  level: 3,
  nested: { close() {} },
};

let counter = 0, LIMIT = 10;
const { alpha, beta: gamma } = printer;

function Legacy() {}
Legacy.prototype.run = function (job) { return job.start(); };
Legacy.create = () => new Legacy();

for (const f of files) { f.close(); }

hello(path.join(process.cwd(), parse(read(put))));
console.log(counter);
