// The virtualizer asks for this, as programs in Node and bundlers do. It stands before it among the imports.
globalThis.process ??= { env: { NODE_ENV: 'production' } };
