#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before any other import: what is loaded after it comes compiled from the cache.
enableCompileCache();
const { payrun } = await import('./payrun.ts');
await payrun(process.argv.slice(2));
