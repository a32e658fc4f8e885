import process from 'node:process';
import { parseArgs } from 'node:util';
import { surveyBytes } from '../../../src/input/source/sniff.ts';
import { namesOfTheWorld, namesValidByChance } from './by-chance.ts';
import { type Answer, allNames, answerTo, CASES, chunksOf, payrollText, randomFrom } from './payroll-files.ts';

/**
 * Measures how files of names are read: `node test/input/encodings/measure-encodings.ts`. Prints for each size of file,
 * language and encoding how many files of a hundred were right and asked, and how many were wrong. `--names second` takes
 * the half of the names that `make-letter-statistics.ts --half` did not count. At last come names alone, in UTF-8 and in bytes
 * that are valid UTF-8 by chance: of those all were read in silence before.
 */

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '10000' },
    sizes: { type: 'string', default: '5,20,100,250' },
    foreign: { type: 'string', default: '0' },
    capitals: { type: 'string', default: '0.25' },
    names: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '1' },
  },
});

const names = allNames(values.names === 'second' ? 'second' : 'both');
const random = randomFrom(Number(values.seed));
const percent = (count: number, of: number) => ((count / of) * 100).toFixed(2).padStart(6);
let isWrong = false;

console.log('names a file | language | encoding | right % | asked % | wrong files');
for (const size of values.sizes.split(',').map(Number)) {
  const sum: Record<Answer, number> = { right: 0, asked: 0, wrong: 0 };
  for (const each of CASES) {
    const files = Math.ceil(Number(values.cells) / size);
    const counts: Record<Answer, number> = { right: 0, asked: 0, wrong: 0 };
    for (let file = 0; file < files; file++) {
      const shape = { size, foreign: Number(values.foreign), capitals: Number(values.capitals) };
      const answer = await answerTo(payrollText(each, shape, names, random), each.encoding);
      counts[answer]++;
      sum[answer]++;
    }
    console.log(
      `${size} | ${each.language} | ${each.encoding} | ${percent(counts.right, files)} | ${percent(counts.asked, files)} | ${counts.wrong} of ${files}`,
    );
  }
  const files = sum.right + sum.asked + sum.wrong;
  console.log(
    `${size} | all | all | ${percent(sum.right, files)} | ${percent(sum.asked, files)} | ${sum.wrong} of ${files}`,
  );
  isWrong ||= sum.wrong > 0;
}

/** How many of one name alone were asked about, and how many of names whose bytes in an older encoding are valid UTF-8. */
async function askedOf(texts: readonly Uint8Array[]): Promise<number> {
  let asked = 0;
  for (const bytes of texts) if ((await surveyBytes(() => chunksOf(bytes))).readings.length > 0) asked++;
  return asked;
}
const world = namesOfTheWorld().flatMap((name) => [name, name.toUpperCase()]);
const askedOfWorld = await askedOf(world.map((name) => Buffer.from(name)));
console.log(`1 | all of faker | utf-8 | ${percent(askedOfWorld, world.length)} asked of ${world.length}`);
const byChance = namesValidByChance(names);
const askedOfChance = await askedOf(byChance.map(({ bytes }) => bytes));
console.log(`1 | valid UTF-8 by chance | all | ${percent(askedOfChance, byChance.length)} asked of ${byChance.length}`);
if (isWrong) process.exitCode = 1;
