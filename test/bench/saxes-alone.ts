// The floor of `check` for pain.001: the tags of the file, and nothing done with them. Usage: FILE
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { SaxesParser } from 'saxes';

const parser = new SaxesParser();
let payments = 0;
parser.on('opentag', ({ name }) => {
  if (name === 'CdtTrfTxInf') payments++;
});
for await (const chunk of createReadStream(String(process.argv[2]), 'utf8')) parser.write(chunk);
parser.close();
process.stdout.write(`${payments}\n`);
