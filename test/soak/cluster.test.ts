import { expect, test } from 'vitest';
import { payrun } from '../support/payrun.ts';
import { clusterSoak } from './cluster/soak.ts';

// `npm run soak:cluster` at its smallest: one disturbance of each kind.

test('workers, pages and schedulers pay each row once, within the limit, while they and their database are disturbed', async () => {
  const lines: string[] = [];
  const end = await clusterSoak(
    {
      workers: 2,
      pages: 1,
      schedulers: 1,
      payrolls: 5,
      rowsMax: 12,
      seed: 11,
      rate: { requests: 80, windowMs: 4_000 },
      disturbances: [
        'a worker frozen past its lease',
        'a worker killed',
        'a page killed',
        'a scheduler killed',
        'a connection to the database cut',
        'the database killed',
        'a standby promoted',
      ],
      pauseMaxMs: 1_200,
      quietMs: 0,
      patienceMs: 200_000,
      run: payrun,
    },
    (line) => lines.push(line),
  );
  expect(end.wrong, [...lines, ...end.figures.flat()].join('\n')).toEqual([]);
});
