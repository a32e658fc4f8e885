'use strict';

// The program that is one file (Node's SEA) starts here. Its own files, which are in a virtual file system beside this one, it
// starts as Node would: `payrun FILE WORDS`.
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

if (process.argv[2]?.startsWith(__dirname)) process.argv.splice(1, 1);
else process.argv[1] = join(__dirname, 'dist/cli/main.js');
void import(pathToFileURL(process.argv[1]).href);
