import { registerHooks } from 'node:module';

/**
 * Loaded before openapi-typescript: it makes its text with the programming interface of TypeScript 5, which TypeScript 7 has no
 * more; ts-morph has that of 5 in it.
 */
const PLACE = import.meta.resolve('./typescript-of-ts-morph.cjs');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: PLACE, format: 'commonjs', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === PLACE
      ? { format: 'commonjs', source: "module.exports = require('@ts-morph/common').ts;", shortCircuit: true }
      : next(url, context),
});
