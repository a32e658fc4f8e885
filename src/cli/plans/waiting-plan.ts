import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import process from 'node:process';
import { periodRefusal, requireNewest, runNamed, startedLike, startedOfPeriod } from '../../app/plan/repeats.ts';
import { isPrepared } from '../../approval/statement.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { openFile } from '../../input/source/file.ts';
import { hashOf } from '../../input/source/file-hash.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { isPlanWhole } from '../../runner/plan/plan-digest.ts';
import { requireRetry } from '../commands/retry/retry-rows.ts';
import type { Settings } from '../settings.ts';
import { printable } from '../tables.ts';

/** `isToSign`: an approver looks, who cannot let anything be paid again. */
type Looking = { journal: Journal; command: CommandLine; settings: Settings; isToSign?: boolean };

/**
 * Throws a `Refusal` where the run is no plan that can be started: it was started or cancelled, its rows or its file are
 * not what was planned, or the same was run meanwhile.
 */
export async function requirePlan(run: RunState, looking: Looking): Promise<void> {
  const { journal, command, settings } = looking;
  const { header } = run;
  if (header === null) return;
  const { run_id, input, retries, corrections_sha256 } = header;
  if (!isPlannedOnly(run)) {
    const remedy = `See \`${command('show', run_id)}\`; go on with \`${command('resume', run_id)}\` if it was cut off.`;
    throw new Refusal('refused', `${run_id} was started before, and is not started again.`, remedy, { run_id });
  }
  if (run.replacedBy !== null) throw replaced(run_id, run.replacedBy, command);
  if (run.cancelled) throw changed(run, 'is a plan that was cancelled', command);
  if (!isPlanWhole(run) || (run.plan !== null && !isPrepared(run.plan, header.digest, run.planSignature))) {
    const what = isPlanWhole(run)
      ? 'is not signed by the person who is said to have made it'
      : 'is not what was planned: its rows in the journal do not have the digest of the plan';
    const remedy = `See what \`${command('verify', run_id)}\` says, and make a new plan.`;
    throw new Refusal('person_needed', `${run_id} ${what}. Nothing was sent.`, remedy, { run_id });
  }
  if (retries !== null) requireRetry(journal, run, settings, command);
  else refuseStarted(run, header, looking);
  const sha256 = retries === null ? input.sha256 : corrections_sha256;
  if (sha256 !== null && existsSync(input.path) && (await hashOf(await openFile(input.path))) !== sha256) {
    throw changed(run, `is a plan of ${input.name}, which was changed since`, command);
  }
}

/**
 * That the file is not there any more; null where it is, or where the run pays none. The journal has its rows, and the
 * digest is over them: the plan is as good without it.
 */
export function fileGone({ header, plan }: RunState): string | null {
  if (header === null || (header.retries !== null && header.corrections_sha256 === null)) return null;
  const { path, name } = header.input;
  if (existsSync(path)) return null;
  return `${printable(name)} is not there any more; what was ${plan?.approval ? 'approved' : 'planned'} is paid from the journal.`;
}

function replaced(runId: string, by: string, command: CommandLine): Refusal {
  const what = `${runId} is a plan that was replaced by a newer one, ${by}. Nothing was sent.`;
  return new Refusal('refused', what, `Look at that one: \`${command('show', by)}\`.`, { run_id: runId });
}

/**
 * What the transaction that starts the run refuses too, said before the service is asked. `--allow-repeat` without a name
 * allows what was allowed when it was planned, and nothing that was started since.
 */
function refuseStarted(
  run: RunState,
  header: RunCreated,
  { journal, command, settings: { allowRepeat }, isToSign = false }: Looking,
): void {
  const { job, period, input, repeats } = header;
  const same = { sha256: input.sha256, job, period, kind: header };
  if (allowRepeat && allowRepeat !== repeats) {
    requireNewest(journal, allowRepeat, same, command);
    return;
  }
  const newest = startedLike(journal, same).at(-1);
  if (newest === undefined || (allowRepeat !== undefined && newest === repeats)) return;
  const refusal = runMeanwhile(journal, newest, header, command);
  if (!isToSign) throw refusal;
  const again = planAgain(run, command, '--allow-repeat', newest);
  const remedy = `See \`${command('show', newest)}\`. To pay everybody again, make a new plan that says so, and have it approved: \`${again}\`.`;
  throw new Refusal('refused', refusal.message, remedy, refusal.details);
}

export function runMeanwhile(journal: Journal, runId: string, ofPlan: RunCreated, command: CommandLine): Refusal {
  const isOfPeriod = startedOfPeriod(journal, { ...ofPlan, kind: ofPlan }).some(({ run_id }) => run_id === runId);
  if (isOfPeriod) return periodRefusal(journal, ofPlan, runId, command);
  return new Refusal(
    'refused',
    `The same was run meanwhile, as ${runNamed(journal, runId)}. Nothing was sent.`,
    `See \`${command('show', runId)}\`. To pay everybody again: --allow-repeat ${runId}`,
    { run_id: runId },
  );
}

/** That a plan cannot be used any more. */
export function changed(run: RunState, what: string, command: CommandLine): Refusal {
  const runId = run.header?.run_id ?? '';
  const retries = run.header?.retries ?? null;
  const again = retries === null ? planAgain(run, command) : command('retry', retries);
  return new Refusal(
    'refused',
    `${runId} ${what}. Nothing was sent.`,
    `Make a new plan, and look at it: \`${again}\`.`,
    { run_id: runId },
  );
}

/** The literal command that makes a plan of the same job and period, or of the same file. */
export function planAgain({ header, plan }: RunState, command: CommandLine, ...more: string[]): string {
  const { input, job = null, job_source = null, period = null } = header ?? {};
  const from = job_source === null ? job : nearFile(job_source.file);
  if (from === null) return command('plan', input?.path ?? '', ...more);
  const as = plan?.approval?.preparer_key === undefined ? [] : ['--as', 'FILE'];
  return command('plan', from, ...(period === null ? [] : ['--period', period]), ...as, ...more);
}

/** A path as people name it who are in this folder. */
export function nearFile(file: string): string {
  const near = relative(process.cwd(), file);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near;
}
