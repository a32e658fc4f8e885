import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

// Loaded before the program (`--import`): a password is next to no work to try. What it is worth has tests of its own. The
// processes that this one starts hash no passwords, and are started as always.
const { argon2 } = crypto;
crypto.argon2 = ((algorithm, parameters, callback) =>
  argon2(algorithm, { ...parameters, memory: 64, passes: 1 }, callback)) as typeof argon2;
syncBuiltinESMExports();
delete process.env.NODE_OPTIONS;
