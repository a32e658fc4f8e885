import { type Excess, sumText } from '../domain/limits.ts';

const RAISE = 'or let somebody who may do so change the limit in the job';

/** What exceeds a limit of the job, and what to do about it. */
export function limitWords(excess: Excess): { message: string; remedy: string } {
  switch (excess.code) {
    case 'limit_per_payout':
    case 'limit_per_run': {
      const { code, currency, minor, limitMinor } = excess;
      const isRun = code === 'limit_per_run';
      const allowed = `limits.${isRun ? 'per_run' : 'per_payout'} of the job allows ${sumText(limitMinor, currency)}`;
      return {
        message: `The ${isRun ? 'run' : 'payout'} comes to ${sumText(minor, currency)}, and ${allowed}.`,
        remedy: `${isRun ? 'Pay fewer rows' : 'Correct the amount, remove the row'}, ${RAISE}.`,
      };
    }
    case 'limit_currency': {
      const { currency, limits } = excess;
      const named = limits.map((name) => `limits.${name}`).join(' and ');
      return {
        message: `The job has ${named} and no sum in ${currency} there, so that nothing is allowed in ${currency}.`,
        remedy: `Remove the rows in ${currency}, ${RAISE}.`,
      };
    }
    case 'limit_payees': {
      const [payees, limit] = [excess.payees, excess.limit].map((count) => count.toLocaleString('en'));
      return {
        message: `The run has ${payees} payees, and limits.payees of the job allows ${limit}.`,
        remedy: `Pay fewer payees, ${RAISE}.`,
      };
    }
    case 'limit_only_payees':
      return {
        message:
          excess.payeeId === null
            ? 'The payee has no payee_id, and limits.only_payees of the job allows only the payees that it names.'
            : 'The payee is none of those that limits.only_payees of the job names.',
        remedy: 'Correct the payee_id, remove the row, or let somebody who may do so add the payee to the list.',
      };
  }
}
