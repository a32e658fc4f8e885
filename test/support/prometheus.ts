import { assert } from '../../src/domain/refusal.ts';

export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };
type Family = { type: string; help: string; samples: Sample[] };

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)$`);
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * The families of a text, as Prometheus's text format 0.0.4 has it: https://prometheus.io/docs/instrumenting/exposition_formats/.
 * It takes less than Prometheus does: each family has its help, then its type, then all of its samples, each once.
 */
export function readMetrics(text: string): Map<string, Family> {
  assert(text.endsWith('\n'), 'the last line has no end');
  const families = new Map<string, Family>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  let current: string | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, what, name = '', more = ''] = COMMENT.exec(line) ?? [];
    if (what === 'HELP') {
      assert(!helps.has(name), `${name} has two helps`);
      helps.set(name, more);
    } else if (what === 'TYPE') {
      const help = helps.get(name);
      assert(help !== undefined && TYPES.includes(more) && !families.has(name), `${name}: ${more}`);
      families.set(name, { type: more, help, samples: [] });
      current = name;
    } else {
      const family = families.get(current ?? '');
      assert(family, `a sample of no family: ${line}`);
      const sample = sampleOf(line);
      const suffixes = SUFFIXES[family.type] ?? [''];
      assert(
        suffixes.some((suffix) => sample.name === `${current}${suffix}`),
        `not of ${current}: ${line}`,
      );
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      assert(!seen.has(key), `twice: ${line}`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') requireHistogram(name, samples);
  return families;
}

function sampleOf(line: string): Sample {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  assert(name !== '', `no sample: ${line}`);
  const pairs = Array.from(labels.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g), ([, label = '', text = '']) => {
    return [label, text.replaceAll('\\n', '\n').replaceAll(/\\(["\\])/g, '$1')] as const;
  });
  assert(new Set(pairs.map(([label]) => label)).size === pairs.length, `a label twice: ${line}`);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}

/** Buckets of each series count what is not larger, and the last one counts all. */
function requireHistogram(name: string, samples: readonly Sample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(Object.entries(labels)));
  for (const [key, ofSeries] of series) {
    const buckets = ofSeries.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const isRising = (values: number[]): boolean =>
      values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
    const count = ofSeries.find((sample) => sample.name === `${name}_count`)?.value;
    assert(
      bounds.at(-1) === Infinity && isRising(bounds) && isRising(counts) && counts.at(-1) === count,
      `${name} ${key}`,
    );
  }
}

/** The values of a family's samples of one name that have these labels. */
export function valuesOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number[] {
  const samples = [...families.values()].flatMap((family) => family.samples);
  const isMeant = (sample: Sample): boolean =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
  return samples.filter(isMeant).map(({ value }) => value);
}
