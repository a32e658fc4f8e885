// The floor of `check`: csv-parse with `columns` and `info`, and nothing done with the rows. Usage: FILE
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { parse } from 'csv-parse';

let rows = 0;
const parser = createReadStream(String(process.argv[2])).pipe(parse({ columns: true, info: true, bom: true }));
for await (const _ of parser) rows++;
process.stdout.write(`${rows}\n`);
