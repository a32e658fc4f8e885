import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../src/compose/metrics.ts';
import { measure } from '../../src/platform/measures.ts';
import { open } from '../journal/open-sqlite.ts';
import { REAL_CLOCK } from '../journal/place.ts';
import { PROJECT, temporaryFolder } from '../support/payrun.ts';
import { readMetrics } from '../support/prometheus.ts';

const RULES = join(PROJECT, 'samples/deploy/alerts.yaml');
const DASHBOARD = join(PROJECT, 'samples/deploy/dashboard.json');
const isMissing = spawnSync('promtool', ['--version']).status !== 0;

test.skipIf(isMissing)(
  'Prometheus takes the rules, and each fires when it should (skipped where there is no promtool)',
  () => {
    for (const args of [
      ['check', 'rules', RULES],
      ['test', 'rules', join(import.meta.dirname, 'alerts-tested.yaml')],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect([status, stderr], stdout).toEqual([0, '']);
    }
  },
);

/** What Prometheus and node_exporter add. A label `job` of ours would be overwritten. */
const OF_OTHERS = new Set(['up', 'node_textfile_mtime_seconds']);
const OF_PROMETHEUS: ReadonlySet<string> = new Set(['job', 'instance']);

/** Every selector of an expression: a name, and the labels that it matches by the texts of their values. */
function selectorsOf(expr: string) {
  return Array.from(expr.matchAll(/\b((?:payrun|process|node|nodejs|up)(?:_[a-z_]+)?)\b(?:\{([^}]*)\})?/g), (found) => {
    const [, name = '', matchers = ''] = found;
    const labels = Array.from(matchers.matchAll(/([a-z_]+)=~?"([^"]*)"/g), ([, label = '', value = '']) => ({
      label,
      value,
    }));
    return { name, labels };
  }).filter(({ name }) => !OF_OTHERS.has(name));
}

function expressions(): string[] {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { expr: string }[] }[] };
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const ofRules = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  return [...ofRules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
}

/** By name of a sample, the values of each of its labels, as a process shows them in which everything has happened. */
async function everyMetric(): Promise<Map<string, Record<string, Set<string>>>> {
  const journal = open(join(temporaryFolder(), 'journal.db'));
  const metrics = new Metrics({ figures: journal.figures, clock: REAL_CLOCK, missed: () => [['pay', 1]] });
  onTestFinished(async () => {
    metrics.close();
    await journal.close();
  });
  for (const outcome of ['accepted', 'rejected', 'refused_credentials', 'no_effect', 'in_doubt'] as const)
    measure({ kind: 'request', operation: 'transaction.get', outcome, seconds: 0.1 });
  const found = new Map<string, Record<string, Set<string>>>();
  for (const [family, { samples }] of readMetrics(await metrics.text())) {
    if (samples.length === 0) found.set(family, {});
    for (const { name, labels } of samples) {
      const known = found.get(name) ?? {};
      for (const [label, value] of Object.entries(labels)) known[label] = (known[label] ?? new Set()).add(value);
      found.set(name, known);
    }
  }
  return found;
}

test('rules and dashboard ask for metrics, labels and values that there are', async () => {
  const known = await everyMetric();
  // Without a run no job has succeeded.
  expect(known.get('payrun_job_last_success_timestamp_seconds')).toEqual({});
  known.set('payrun_job_last_success_timestamp_seconds', { job_name: new Set(['pay']), mode: new Set(['live']) });
  const asked = new Set<string>();
  for (const expr of expressions())
    for (const { name, labels } of selectorsOf(expr)) {
      asked.add(name.replace(/_(bucket|count|sum)$/, ''));
      const there = known.get(name);
      expect(there, `${name} in ${expr}`).toBeDefined();
      const theirs = name.startsWith('payrun_') ? ['instance'] : OF_PROMETHEUS;
      const may = new Set([...Object.keys(there ?? {}), ...theirs]);
      for (const [, by = ''] of expr.matchAll(/by \(([^)]*)\)/g))
        for (const label of by.split(', ')) expect(may, `by ${label} in ${expr}`).toContain(label);
      for (const { label, value } of labels.filter((one) => !OF_PROMETHEUS.has(one.label) && one.value !== '$mode'))
        for (const one of value.split('|')) expect(there?.[label], `${label} of ${name} in ${expr}`).toContain(one);
    }
  // And nothing that is ours is shown nowhere.
  const ours = [...known.keys()]
    .filter((name) => name.startsWith('payrun_'))
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect([...asked].filter((name) => name.startsWith('payrun_')).sort()).toEqual([...new Set(ours)].sort());
});
