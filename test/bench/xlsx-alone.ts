// The floor of `check` for workbooks: a library's own reading, and nothing done with the rows. Usage: FILE
import process from 'node:process';
import readWorkbook from 'read-excel-file/node';

const [sheet] = await readWorkbook(String(process.argv[2]));
process.stdout.write(`${sheet?.data.length}\n`);
