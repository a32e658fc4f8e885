import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The columns of a full payroll behind the name: its amount, and where it goes. */
const AMOUNT = 0;
const CURRENCY = 1;
const RAIL = 2;
const ACCOUNT = 3;
const CODE = 4;
const WALLET = 7;

/** Their numbers have no check digit. */
const UNCHECKED = ['AUD_NPP', 'GBP_FPS', 'INR_IMPS'];

const DUPLICATE = 'E1,Ana,100.00,AUD,AUD_NPP,12345678,062-000,,,,,PAY 0726,Salary,ana@example.com';

/**
 * Copies a full payroll of `generatePayroll` with something wrong in every row, by turns: a check digit (a letter among
 * digits where there is none), a dropped zero, an amount that is none, an unknown currency, and a payout that is there again and again.
 */
export async function spoilPayroll(from: string, to: string): Promise<void> {
  const file = createWriteStream(to);
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(from) })) {
    const text = row === 0 ? line : spoilt(line, row);
    row++;
    if (!file.write(`${text}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function spoilt(line: string, row: number): string {
  const [, payee = '', rest = ''] = /^([^,]*,(?:"[^"]*"|[^,]*)),(.*)$/.exec(line) ?? [];
  const cells = rest.split(',');
  const change = (at: number, by: (cell: string) => string) => {
    cells[at] = by(cells[at] ?? '');
  };
  switch (row % 5) {
    case 0:
      for (const at of [ACCOUNT, CODE, WALLET]) change(at, otherEnd);
      if (UNCHECKED.includes(cells[RAIL] ?? '')) change(ACCOUNT, (cell) => `${cell.slice(0, -1)}x`);
      break;
    case 1:
      change(ACCOUNT, (cell) => cell.slice(1));
      change(CODE, () => '62000');
      change(WALLET, (cell) => cell.slice(2));
      break;
    case 2:
      change(AMOUNT, (cell) => `${cell} or so`);
      break;
    case 3:
      change(CURRENCY, () => 'XXX');
      break;
    default:
      return DUPLICATE;
  }
  return [payee, ...cells].join(',');
}

/** The text with another digit at its end. */
function otherEnd(text: string): string {
  return text === '' ? '' : text.slice(0, -1) + (text.endsWith('1') ? '2' : '1');
}
