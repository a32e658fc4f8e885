import process from 'node:process';

/**
 * `createServer` of `node:http`. An `import` of that module reads all that it exports, its `WebSocket` too, and for that Node
 * loads its whole `fetch`: a tenth of a second of each process, and 15 MB.
 */
export const { createServer } = process.getBuiltinModule('node:http');
