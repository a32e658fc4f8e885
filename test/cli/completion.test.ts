import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';

const execute = promisify(execFile);

function isHere(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A folder with a file to pay, the script of the shell, and on its path the command. The machine's own shell is another. */
async function placeFor(shell: string): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pay-in-june.csv'), '');
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'bin/payrun'), `#!/bin/sh\nexec '${process.execPath}' '${PAYRUN_MAIN}' "$@"\n`);
  chmodSync(join(cwd, 'bin/payrun'), 0o755);
  const { exit, stdout } = await payrun(['completion', shell]);
  expect(exit).toBe(0);
  writeFileSync(join(cwd, 'script'), stdout);
  const path = [join(cwd, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const other = shell === 'zsh' ? '/bin/bash' : '/bin/zsh';
  return { cwd, env: { ...process.env, PATH: path, HOME: cwd, ZDOTDIR: cwd, SHELL: other, TERM: 'dumb' } };
}

/** What is typed, and what has to be offered. */
const TYPED: readonly (readonly [line: string, offered: string[]])[] = [
  ['payrun re', ['report', 'resolve', 'resume', 'retry', 'returns']],
  ['payrun keys ', ['new', 'show']],
  ['payrun check --deci', ['--decimal']],
  ['payrun check --encoding mac', ['macintosh']],
  ['payrun completion f', ['fish']],
];

test.skipIf(!isHere('bash'))('bash offers commands, options and values, and files where there are none', async () => {
  const place = await placeFor('bash');
  const ask = `source ./script
for line in "$@"; do
  read -ra COMP_WORDS <<< "$line"
  [[ "$line" != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
  _payrun
  echo "\${COMPREPLY[*]}"
done
complete -p payrun`;
  const lines = [...TYPED.map(([line]) => line), 'payrun check '];
  const { stdout, stderr } = await execute('bash', ['--norc', '-c', ask, 'bash', ...lines], place);
  const offered = stdout.trimEnd().split('\n');
  expect(stderr).toBe('');
  // Of nothing readline makes names of files.
  expect(offered.pop()).toBe('complete -o bashdefault -o default -F _payrun payrun');
  expect(offered.map((words) => words.split(' ').filter(Boolean).toSorted())).toEqual([
    ...TYPED.map(([, of]) => of),
    [],
  ]);
});

test.skipIf(!isHere('fish'))('fish offers the same, each with what it is', async () => {
  const place = await placeFor('fish');
  const ask = 'source ./script; for line in $argv; complete -C $line; echo; end';
  const lines = [...TYPED.map(([line]) => line), 'payrun check '];
  const { stdout } = await execute('fish', ['--no-config', '-c', ask, ...lines], place);
  const offered = stdout
    .trimEnd()
    .split('\n\n')
    .map((of) => of.split('\n'));
  const names = offered.map((of) => of.map((line) => line.split('\t')[0]).toSorted());
  expect(names).toEqual([...TYPED.map(([, of]) => of), ['bin/', 'pay-in-june.csv', 'script']]);
  expect(offered[0]).toContain(
    'resume\tcontinue after a pause, crash, Ctrl-C, timeout or outage, from the journal alone',
  );
});

/** A shell at a terminal: it is typed to, and all that its screen shows is printed. */
const AT_TERMINAL = `zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed 'bindkey -e; autoload -Uz compinit; compinit -u -D; source ./script'
for line in "$@"; do zpty -w -n typed "$line"$'\\t\\C-aprint -r GOT \\n'; done
zpty -w typed exit
while zpty -r typed shown; do print -rn -- "$shown"; done`;

test.skipIf(!isHere('zsh'))('zsh completes a command, an option, a value and a file as they are typed', async () => {
  const place = await placeFor('zsh');
  const typed = ['payrun resu', 'payrun check --deci', 'payrun completion f', 'payrun check pay-'];
  writeFileSync(join(place.cwd, 'at-terminal'), AT_TERMINAL);
  const { stdout } = await execute('zsh', ['-f', 'at-terminal', ...typed], place);
  const got = [...stdout.matchAll(/^GOT (.*?)\s*$/gm)].map(([, line]) => line);
  expect(got).toEqual([
    'payrun resume',
    'payrun check --decimal',
    'payrun completion fish',
    'payrun check pay-in-june.csv',
  ]);
});

test('without a name it is the script of the shell in use, and another is refused', async () => {
  const [ofFish, fish, none, other] = await Promise.all([
    payrun(['completion', '--json'], { env: { SHELL: '/usr/local/bin/fish' } }),
    payrun(['completion', 'fish']),
    payrun(['completion', '--json'], { env: { SHELL: '' } }),
    payrun(['completion', 'tcsh']),
  ]);
  expect(JSON.parse(ofFish?.stdout ?? '')).toEqual({ shell: 'fish', script: fish?.stdout, exit: 0 });
  expect(JSON.parse(none?.stdout ?? '').shell).toBe('bash');
  expect([other?.exit, other?.stderr]).toEqual([2, expect.stringContaining('tcsh')]);
});
