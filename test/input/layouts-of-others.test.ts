import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll } from './reading.ts';

/** Layouts that others wrote; they are not part of this repository. */
const LAYOUTS = join(import.meta.dirname, '../../../shared/vectors/layouts');
const isThere = existsSync(LAYOUTS);
if (!isThere)
  console.warn('SKIPPED: ../shared/vectors/layouts is not here, so its lists that are no payouts were not run');

describe.skipIf(!isThere)('layouts of others', () => {
  const errorsOf = async (file: string) => {
    const { problemGroups } = await readAll(readFileSync(join(LAYOUTS, file)));
    return problemGroups.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  };

  it.each([
    ['de_datev_bruttoliste.csv', ['gross_list']],
    ['paypal_payouts.csv', ['contact_list']],
    ['wise_saved_recipients.csv', ['contact_list']],
    ['vn_payroll_full.csv', ['amount_net_or_gross', 'column_missing', 'row_paid_already']],
    ['more/de_lastschrift_einzug.csv', ['direct_debit_list']],
    ['more/hk_fps_withdrawals.csv', ['contact_list']],
    ['more/int_paypal_masspay_tab.txt', ['contact_list']],
    ['more/us_dots_amount_cents.csv', ['contact_list', 'amount_in_minor_units']],
  ])('%s is refused by %j', async (file, codes) => {
    expect(await errorsOf(file)).toEqual(codes);
  });

  it('a foot of words is compared with the payouts', async () => {
    const content = readFileSync(join(LAYOUTS, 'more/hazards/foot_with_words_blocks.csv'), 'utf8');
    const read = await readAll(content);
    expect(read.problems.slice(1).map(({ code }) => code)).toEqual(['total_line', 'footer_line']);
    expect([read.isWhole, read.problemCounts.errors, read.payouts]).toEqual([true, 0, 2]);
    const other = await readAll(content.replace('1350.50 USD', '9999.99 USD'));
    expect(other.problems.slice(1).map(({ code }) => code)).toEqual(['total_line_differs', 'footer_line']);
    expect(other.isWhole).toBe(false);
  });

  it.each([
    'kotak_neft.csv',
    'sbi_cmp.csv',
    'revolut_uk_sortcode.csv',
    'revolut_sepa.csv',
    'uk_bacs.csv',
    'razorpayx.csv',
    'more/de_gbanking_sender_iban.csv',
    'more/es_nominas.csv',
    'more/fr_ordre_virement.csv',
    'more/in_debit_currency.csv',
    'more/in_icici_cib.csv',
    'more/in_sbi_saral.csv',
    'more/it_illimity.csv',
    'more/mx_banorte.csv',
    'more/nl_crew_uren.csv',
    'more/us_vendor_bank_routing.csv',
    'more/br_afiliados_pix.csv',
  ])('%s is a list of payouts', async (file) => {
    expect((await errorsOf(file)).join()).not.toMatch(/list|statement|paid_already|net_or_gross|minor|sender/);
  });
});
