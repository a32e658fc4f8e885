import type { AccountProblems, ReferenceProblems } from '../../domain/problems/account-problems.ts';
import type { BankFileProblems } from '../../domain/problems/bank-file-problems.ts';
import type { AmountProblems, CellProblems, PayeeProblems } from '../../domain/problems/input-problems.ts';
import type { RepeatProblems } from '../../domain/problems/payment-problems.ts';
import type { RowProblems } from '../../domain/problems/row-problems.ts';
import type { PAID_BEFORE } from '../../domain/run/left-out.ts';

/** What is wrong with a bank file as a whole, of which nothing is paid. */
type BankFileProblem =
  | 'bank_file_unknown'
  | 'iso_message_other'
  | 'file_cut_off'
  | 'control_figure_differs'
  | 'control_figures_absent'
  | 'payment_date_not_held'
  | `xml_${string}`
  | `record_${string}`;

/** What can be wrong with a row, whether or not it is left out for that. */
export type RowProblem =
  | keyof (AccountProblems &
      AmountProblems &
      CellProblems &
      PayeeProblems &
      RowProblems &
      ReferenceProblems &
      RepeatProblems)
  | keyof Omit<BankFileProblems, BankFileProblem>
  | typeof PAID_BEFORE
  | 'limit_per_payout';
