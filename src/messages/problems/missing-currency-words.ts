import type { ProposedCurrency } from '../../domain/problems/input-problems.ts';
import { t } from '../translate.ts';
import { shown } from './header-text.ts';
import type { ProblemWords } from './words.ts';

/** Every amount of the file has the same currency, as a rule, and the person knows it. */
export function currencyMissing(
  proposed: ProposedCurrency | null,
  paid: readonly string[],
  synonyms: readonly string[],
): ProblemWords {
  const add = t`add a column with the header currency (or ${synonyms.join(', ')})`;
  const which = t`payrun pays ${paid.join(', ')} and crypto assets`;
  if (proposed !== null && !proposed.isPaid)
    return {
      message: t`There is no column currency. ${evidenceText(proposed)}, which no rail of payrun pays.`,
      remedy: {
        command_line: `Pay these rows by other means; ${which}. Where the amounts are in one of these, say which, as in --currency EUR.`,
        page: ({ reading }) =>
          t`Pay these rows by other means; ${which}. If the amounts are in one of these currencies, choose it under ${reading}.`,
      },
    };
  const code = proposed?.code ?? 'GBP';
  const where = proposed === null ? t`where every amount is in one currency` : t`if that is right`;
  return {
    message: t`There is no column currency.${proposed === null ? '' : ` ${evidenceText(proposed)}.`}`,
    remedy: {
      command_line: `${capitalised(where)}, say ${proposed === null ? 'which, as in ' : ''}--currency ${code}; or ${add}. ${capitalised(which)}.`,
      page: ({ reading }) =>
        t`${capitalised(where)}, choose ${proposed === null ? t`it` : code} under ${reading}; or ${add}.`,
    },
  };
}

function evidenceText({ code, evidence }: ProposedCurrency): string {
  switch (evidence.by) {
    case 'header':
      return t`The header ${shown(evidence.header)} suggests ${code}`;
    case 'layout':
      return t`The layout of the file (${evidence.layout}) suggests ${code}`;
    case 'iban':
      return t`The IBANs suggest ${code}`;
    case 'ifsc':
      return t`The branch codes (IFSC) suggest ${code}`;
  }
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
