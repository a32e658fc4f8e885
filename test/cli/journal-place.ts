import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect } from 'vitest';
import type { VerifyInput } from '../../src/app/verify/verify.ts';
import { reportRun } from '../../src/cli/commands/report/run.ts';
import { listRuns } from '../../src/cli/commands/runs/run.ts';
import { showRun } from '../../src/cli/commands/show/run.ts';
import { verifyAll, verifyRun } from '../../src/cli/commands/verify/run.ts';
import type { Here } from '../../src/cli/here.ts';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { machineRandomness } from '../../src/platform/machine.ts';
import {
  accepted,
  completed,
  final,
  intent,
  payoutRow,
  problemRow,
  runCreated,
  STARTED_AT,
} from '../report/example-run.ts';
import { hereOver } from '../support/over-journal.ts';
import { unpublished } from '../support/published-schemas.ts';

export const ACCOUNT = '987654321';

export const COUNTS = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

export type Printed = { exit: number; stdout: string; stderr: string };

/** A journal in a directory of its own, anew for each test of a file, and the commands that read it. */
export class JournalPlace {
  directory = '';
  journal!: Journal;
  nowMs = STARTED_AT;

  constructor() {
    beforeEach(() => {
      this.directory = mkdtempSync(join(tmpdir(), 'payrun-commands-'));
      this.nowMs = STARTED_AT;
      this.reopen();
    });
    afterEach(async () => {
      await this.journal.close();
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  reopen(): void {
    const clock: Clock = {
      wallMs: () => this.nowMs,
      monotonicMs: () => this.nowMs,
      sleep: () => Promise.resolve(),
      soon: (work) => setImmediate(work),
    };
    this.journal = openJournal({
      path: join(this.directory, 'journal.db'),
      clock,
      randomness: machineRandomness,
      process: { host: 'here', boot_id: 'boot', pid: 1, started: '1' },
      isAlive: () => true,
      leaseMs: 30_000,
    });
  }

  /** A run in the journal, with its report under the test's directory. */
  async runIn(runId: string, rows: RunRow[], after: Entry[] = [], rehearsal = false): Promise<void> {
    const reports = join(this.directory, 'reports');
    const header = { ...runCreated(rows.length, { rehearsal }), run_id: runId, report_dir: reports };
    const created = await this.journal.createRun({ header, rows: [{ kind: 'rows', rows }], refuseRepeat: false });
    if (created.outcome !== 'created') throw new Error('the run was not created');
    this.nowMs += 1_000;
    if (after.length > 0) await created.writer.append(after);
    await created.writer.release();
  }

  async printed(
    options: { json?: boolean; reportDir?: string },
    command: (here: Here) => number | Promise<number>,
    schema: string | false = false,
  ): Promise<Printed> {
    const out: Printed = { exit: -1, stdout: '', stderr: '' };
    const io = {
      stdout(text: string) {
        out.stdout += text;
      },
      stderr(text: string) {
        out.stderr += text;
      },
    };
    out.exit = await command(hereOver(this.journal, io, { dataDir: this.directory, ...options }));
    if (schema !== false) expect(unpublished(schema, out.stdout)).toBeNull();
    return out;
  }

  runs(json: boolean): Promise<Printed> {
    return this.printed({ json }, listRuns, json && 'runs');
  }

  show(runId: string, json: boolean): Promise<Printed> {
    return this.printed({ json }, (here) => showRun(here, runId), json && 'show');
  }

  report(runId: string, options: { reportDir?: string; json?: boolean } = {}): Promise<Printed> {
    return this.printed(options, (here) => reportRun(here, runId, ['csv', 'json']));
  }

  verify(runId: string, json: boolean): Promise<Printed> {
    return this.printed({ json }, (here) => verifyRun(here, runId, {}), json && 'verify');
  }

  verifyAll({ json = true, ...input }: Partial<VerifyInput> & { json?: boolean } = {}): Promise<Printed> {
    return this.printed({ json }, (here) => verifyAll(here, input), json && 'verify');
  }

  /** Edits the journal's file behind its back: as one who knows SQL, but not the hashes. */
  async tamper(sql: string): Promise<void> {
    await this.journal.close();
    const database = new DatabaseSync(join(this.directory, 'journal.db'));
    database.exec('DROP TRIGGER entry_is_never_changed; DROP TRIGGER entry_is_never_deleted;');
    database.exec(sql);
    database.close();
    this.reopen();
  }
}

/** Every state at once: rows 2 to 9, the last three of them problems. */
export function everyEntry(): { rows: RunRow[]; after: Entry[] } {
  const rows = [2, 3, 4, 5, 6, 7, 8].map((row) => payoutRow(row));
  rows.push(
    problemRow(9, ['Payee 9', 'x', 'AUD', ACCOUNT, ''], {
      code: 'account_number',
      message: `${ACCOUNT} is no account.`,
    }),
  );
  return {
    rows,
    after: [
      ...completed(3),
      intent(4),
      accepted(4),
      intent(5),
      { kind: 'doubt', row: 5, attempt: 1, reason: 'the answer was lost (timeout)' },
      { kind: 'looked', row: 5, attempt: 1, found: 0, complete: true },
      { kind: 'looked', row: 5, attempt: 1, found: 0, complete: true },
      intent(6),
      accepted(6),
      final(6, { status: 'FAILED', code: 'CLOSED', message: `The account ${ACCOUNT} is closed.` }),
      intent(7),
      { kind: 'rejected', row: 7, attempt: 1, code: 'NOT_PAYABLE', message: 'Not payable.', spent: true },
      intent(8),
      { kind: 'stopped', reason: 'interrupted' },
    ],
  };
}
