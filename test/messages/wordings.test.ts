import { describe, expect, test } from 'vitest';
import type { CodedWording } from '../../src/domain/wording.ts';
import { columnOption, wordsFor } from '../../src/messages/wordings.ts';

/** One of each code: a code without one does not compile. */
const EACH: { [C in CodedWording['code']]: CodedWording & { code: C } } = {
  save_as_utf8_or_name_encoding: { code: 'save_as_utf8_or_name_encoding' },
  choose_sheet: { code: 'choose_sheet', sheets: ['July "net"', 'June'] },
  read_each_sheet: { code: 'read_each_sheet', sheets: ['June'] },
  name_or_map_headers: { code: 'name_or_map_headers' },
  add_or_map_column: { code: 'add_or_map_column', column: 'amount', synonyms: ['net pay', 'Betrag'] },
  merge_or_ignore_column: { code: 'merge_or_ignore_column', header: 'Gross "pay"' },
  rename_or_map_header: { code: 'rename_or_map_header', header: 'Amuont', column: 'amount' },
  add_or_map_name: { code: 'add_or_map_name', shown: '`Account name`', header: 'Account name' },
  mend_or_unmap_header: { code: 'mend_or_unmap_header', row: 1, isOfJob: false },
  ungroup_or_name_decimal: { code: 'ungroup_or_name_decimal' },
  agree_or_name_decimal: { code: 'agree_or_name_decimal' },
  fit_or_change_decimal: { code: 'fit_or_change_decimal' },
  add_column: {
    code: 'add_column',
    column: 'rail',
    next: { code: 'choose_rail', currency: 'USD', rails: ['USD_ACH', 'USD_WIRE'] },
  },
  choose_rail: { code: 'choose_rail', currency: 'USD', rails: ['USD_ACH', 'USD_WIRE'] },
  add_substitutions: { code: 'add_substitutions' },
  remove_paid_row: { code: 'remove_paid_row' },
  look_at_runs: { code: 'look_at_runs' },
  remove_paid_rows: { code: 'remove_paid_rows', runId: 'R20261125-7K3M9QZ2' },
  see_unresolved: { code: 'see_unresolved', runId: 'R20261125-7K3M9QZ2' },
};

const OPTION_OR_COMMAND = /--[a-z]|\bpayrun (?:check|plan|runs|retry|show)\b/;

describe('what a problem advises', () => {
  test.each(Object.values(EACH))('$code names options at the command line, and fields on the page', (wording) => {
    expect(wordsFor('command_line', wording)).toMatch(OPTION_OR_COMMAND);
    for (const audience of ['page', 'page_copy'] as const) {
      const words = wordsFor(audience, wording);
      expect(words).not.toMatch(OPTION_OR_COMMAND);
      expect(words).toMatch(/^[A-Z].*\.$/);
      expect(words.match(/“(?:Columns|How it is read)”(?: on the page)?/)?.[0].endsWith('page') ?? true).toBe(
        audience === 'page_copy' || !words.includes('“'),
      );
    }
  });

  test('is the same everywhere where nothing depends on where it is read', () => {
    for (const audience of ['command_line', 'page', 'page_copy'] as const)
      expect(wordsFor(audience, 'Write the name of the payee.')).toBe('Write the name of the payee.');
  });

  test('quotes sheets and headers so that the option can be pasted', () => {
    expect(wordsFor('command_line', EACH.choose_sheet)).toBe(
      'Say which one is to be read, for example with --sheet "July \\"net\\"".',
    );
    expect(columnOption('Pay $`x` "net"', null)).toBe('--column "Pay \\$\\`x\\` \\"net\\"="');
  });

  test('has the advice for a missing column before that for its cells', () => {
    expect(wordsFor('page', EACH.add_column)).toBe(
      'Add a column with the header rail. Write the one that is meant into the column rail. Or choose one for all such rows under “How it is read”.',
    );
  });
});
