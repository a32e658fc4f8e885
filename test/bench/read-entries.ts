// The floor for `resume`: reads the text of every journal entry, and does nothing with it. Usage: JOURNAL
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

using database = new DatabaseSync(process.argv[2] as string, { readOnly: true });
let characters = 0;
for (const { data } of database.prepare('SELECT data FROM entry ORDER BY run, n').iterate())
  characters += String(data).length;
process.stdout.write(`${characters}\n`);
