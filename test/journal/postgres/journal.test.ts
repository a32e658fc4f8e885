import { journalSuite } from '../journal-suite.ts';
import { postgresPlaces } from '../postgres-place.ts';

journalSuite('PostgreSQL', postgresPlaces());
