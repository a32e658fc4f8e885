import { isNode, memberOf, nameOf, placeOf, type Source, type SyntaxNode, walk } from './source.ts';

/** What the page reads of payments, files and acts without asking for whom: the last name before it, and what is called. */
const READS: Readonly<Record<string, ReadonlySet<string>>> = {
  reads: new Set(['history', 'newest', 'payees']),
  runs: new Set(['read', 'reading', 'snapshot', 'watch']),
  uploads: new Set(['get', 'ofRun', 'open']),
  audit: new Set(['list', 'ofRuns']),
};

/** Who may, and why nobody is shown more by it than their sight allows. */
const BEHIND: ReadonlySet<string> = new Set([
  // The door itself, and those who ask it of each run or upload before anything of it is shown.
  'src/web/sights.ts',
  'src/web/runs/found-run.ts',
  'src/web/runs/run-events.ts',
  'src/web/api/seen-run.ts',
  'src/web/api/events.ts',
  'src/web/payees/payee-books.ts',
  'src/web/plans/waiting-plans.ts',
  'src/web/notices/notices.ts',
  'src/web/audit/audit.ts',
  'src/web/uploads/receive-upload.ts',
  // They are given a run or an upload that was asked for at the door, or one of a list from there, and read more of it.
  'src/web/runs/timeline.ts',
  'src/web/runs/result-figures.ts',
  'src/web/runs/run-acts.ts',
  'src/web/runs/run-head.ts',
  'src/web/runs/runs.ts',
  'src/web/api/run-operations.ts',
  'src/web/jobs/scheduled-entries.ts',
  'src/web/plans/plan-policy.ts',
  'src/web/plans/plan-view.ts',
  'src/web/plans/planning.ts',
  'src/web/plans/standing.ts',
  'src/web/review/recipients.ts',
  'src/web/uploads/reading-route.ts',
  // They show nothing to anybody.
  'src/web/plans/scheduled-starts.ts',
  'src/web/review/reviews.ts',
  'src/web/plans/plannings.ts',
  'src/web/runs/cut-off-runs.ts',
  'src/web/runs/run-tasks.ts',
  'src/web/uploads/retention.ts',
]);

/** Reads of the page beside `web.sight`, which alone knows what somebody sees. */
export function doorProblems(source: Source): string[] {
  if (!source.path.startsWith('src/web/') || BEHIND.has(source.path)) return [];
  const problems: string[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'MemberExpression' || !isNode(node.object)) return;
    const [from, what] = [lastName(node.object), memberOf(node) ?? ''];
    if (READS[from]?.has(what))
      problems.push(`${placeOf(source, node.start)}: reads ${from}.${what}, and not what somebody sees (web.sight)`);
  });
  return problems;
}

/** `runs` of `web.runs`, of `this.#parts.runs`, and of `runs`. */
function lastName(node: SyntaxNode): string {
  return (node.type === 'MemberExpression' ? memberOf(node) : nameOf(node)) ?? '';
}
