#!/usr/bin/env node
'use strict';

// Written in what every Node since 12 can parse: elsewhere an older one ends with a stack in place of a sentence.
const NODE_MIN = [24, 15];

const version = process.versions.node.split('.').map(Number);
if (version[0] < NODE_MIN[0] || (version[0] === NODE_MIN[0] && version[1] < NODE_MIN[1])) {
  const message = `payrun needs Node ${NODE_MIN.join('.')} or newer, and this is Node ${process.versions.node}.`;
  const remedy = 'Install a newer one (from https://nodejs.org, or: nvm install 26), then run the same command again.';
  const result = { run_id: null, state: 'refused', message, remedy, exit: 2 };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
  process.stderr.write(`${message}\n${remedy}\n`);
  process.exitCode = 2;
} else {
  // Before any other module: what is loaded after it comes compiled from the cache.
  require('node:module').enableCompileCache();
  void import('./main.js');
}
