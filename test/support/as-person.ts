import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import process from 'node:process';

// Loaded before the program (`--import`): the account that it runs under is that of TEST_PERSON.
const account = os.userInfo();
os.userInfo = ((): os.UserInfo<string> => ({
  ...account,
  username: process.env.TEST_PERSON ?? account.username,
})) as typeof os.userInfo;
syncBuiltinESMExports();
