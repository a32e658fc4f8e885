import { journalSuite } from '../journal-suite.ts';
import { sqlitePlace } from '../open-sqlite.ts';

journalSuite('SQLite', sqlitePlace);
