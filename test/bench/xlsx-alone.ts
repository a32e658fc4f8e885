// The floor of `check` for workbooks: the library's own reading, with styles, and nothing done with the rows. Usage: FILE
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readXlsx } from 'hucre/xlsx';

const { sheets } = await readXlsx(readFileSync(String(process.argv[2])), { readStyles: true });
process.stdout.write(`${sheets[0]?.rows.length}\n`);
