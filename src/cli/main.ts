#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { hasDescriptors } from './descriptors.ts';
import { isSomewhere } from './somewhere.ts';

// Before any other import: what is loaded after it comes compiled from the cache.
enableCompileCache();
const argv = process.argv.slice(2);
if (isSomewhere(argv) && hasDescriptors(argv)) {
  const { payrun } = await import('./payrun.ts');
  await payrun(argv);
}
