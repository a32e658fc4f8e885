import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { workingCommands } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/payrun.ts';
import { manPage } from '../support/man-page.ts';
import { temporaryFolder } from '../support/payrun.ts';

const isHere = (program: string) => spawnSync(program, ['-h']).error === undefined;

function pageFile(): string {
  const file = join(temporaryFolder(), 'payrun.1');
  writeFileSync(file, manPage());
  return file;
}

/** What `man` shows. */
function shown(): string {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '100', MANPAGER: 'cat', PAGER: 'cat' };
  return execFileSync('man', ['--warnings', '-l', pageFile()], { env, encoding: 'utf8' });
}

test.skipIf(!isHere('man'))('man shows every command, each option of it, its examples and the exit codes', () => {
  const text = shown();
  const sections = new Map(
    text.split(/^ {3}payrun /m).map((section) => [section.split('\n')[0]?.trim() ?? '', section]),
  );
  const [, shared = ''] = text.split(/^OPTIONS$/m);
  for (const [words, { command, options = {}, examples }] of workingCommands(COMMANDS)) {
    const section = sections.get([words, ...command.split(' ').slice(1)].join(' '));
    for (const [name, { hidden, type }] of Object.entries(options)) {
      if (hidden) continue;
      expect(section, words).toContain(`--${name}`);
      const own = `${type === 'boolean' ? '' : ' value'}`;
      expect(`${section}${shared}`).toMatch(new RegExp(`^ +--${name}${own}(?: |$)`, 'm'));
    }
    for (const [example] of examples) expect(section?.replace(/\s+/g, ' ')).toContain(`payrun ${example}`);
  }
  expect(text).toMatch(/EXIT STATUS\n +0 +completed\n/);
});

test.skipIf(!isHere('mandoc'))('mandoc finds nothing wrong with it but that it has no date', () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning', pageFile()], { encoding: 'utf8' });
  // Of the same declarations it is always the same page.
  expect(stdout).toMatch(/^.*missing date.*\n$/);
});
