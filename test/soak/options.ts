import yargs from 'yargs';

export const MODES = ['kill', 'both', 'freeze'] as const;

export type SoakOptions = {
  mode: (typeof MODES)[number];
  /** How many disturbances in all. */
  kills: number;
  freezes: number;
  rows: number;
  seed: number;
  /** Payrolls at once: most of their time is waiting. */
  lanes: number;
};

const KILLS_DEFAULT = 300;
const FREEZES_DEFAULT = 20;
const COUNT_MAX = 1_000_000;
const ROWS_MAX = 20_000;
const LANES_MAX = 64;

/** The options of a soak; null where only the help was asked for. Throws an `Error` that says what is wrong with them. */
export async function parseOptions(argv: string[], clockMs: number): Promise<SoakOptions | null> {
  const parsed = await yargs(argv)
    .scriptName('soak:kill')
    .usage('npm run soak:kill -- [options]\n\nDisturbs real payrolls until so many kills or freezes are done.')
    .option('mode', { choices: MODES, default: 'kill' as const, describe: 'what is disturbed' })
    .option('kills', {
      type: 'string',
      describe: `kills of the runner (default ${KILLS_DEFAULT}); modes kill and both`,
    })
    .option('freezes', { type: 'string', describe: `freezes (default ${FREEZES_DEFAULT}); mode freeze` })
    .option('rows', { type: 'string', default: '500', describe: 'rows of each payroll' })
    .option('seed', { type: 'string', describe: 'of the first payroll; the others count on from it' })
    .option('lanes', { type: 'string', describe: 'payrolls at once (default 2; 6 in mode freeze)' })
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': false, 'parse-numbers': false, 'boolean-negation': false })
    .demandCommand(0, 0, '', 'Only options are understood.')
    .exitProcess(false)
    .version(false)
    .fail((message, error) => {
      throw error ?? new Error(message);
    })
    .parseAsync();
  if (parsed.help === true) return null;
  const { mode } = parsed;
  if (mode === 'freeze' && parsed.kills !== undefined) throw new Error('--kills is for the modes kill and both');
  if (mode !== 'freeze' && parsed.freezes !== undefined) throw new Error('--freezes is for the mode freeze');
  return {
    mode,
    kills: wholeNumber('--kills', parsed.kills, KILLS_DEFAULT, 1, COUNT_MAX),
    freezes: wholeNumber('--freezes', parsed.freezes, FREEZES_DEFAULT, 1, COUNT_MAX),
    rows: wholeNumber('--rows', parsed.rows, 500, 10, ROWS_MAX),
    seed: wholeNumber('--seed', parsed.seed, clockMs % 1_000_000_000, 0, 4_294_967_295),
    lanes: wholeNumber('--lanes', parsed.lanes, mode === 'freeze' ? 6 : 2, 1, LANES_MAX),
  };
}

/** An option's number, or the default. Throws an `Error` that names the option. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  byDefault: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return byDefault;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, and not ${JSON.stringify(text)}`);
}
