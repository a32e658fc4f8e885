import { describe } from 'vitest';
import type { Place } from './place.ts';
import { appendSuite } from './suite/append.ts';
import { cancelSuite } from './suite/cancel.ts';
import { decideSuite } from './suite/decide.ts';
import { figureSuite } from './suite/figures.ts';
import { hintSuite } from './suite/hints.ts';
import { holdSuite } from './suite/holds.ts';
import { leaseSuite } from './suite/lease.ts';
import { processSuite } from './suite/processes.ts';
import { projectionSuite } from './suite/projection.ts';
import { readSuite } from './suite/read.ts';
import { startSuite } from './suite/start.ts';
import { verifySuite } from './suite/verify.ts';

/** What every implementation of the journal has to pass. `create` makes a new, empty place. */
export function journalSuite(name: string, create: () => Place): void {
  describe(`the ${name} journal`, () => {
    appendSuite(create);
    readSuite(create);
    leaseSuite(create);
    hintSuite(create);
    figureSuite(create);
    holdSuite(create);
    cancelSuite(create);
    startSuite(create);
    verifySuite(create);
    decideSuite(create);
    processSuite(create);
    projectionSuite(create);
  });
}
