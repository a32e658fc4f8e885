import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkAll, checkTranslations, FOLDER, problemOf, translationsIn } from './check.ts';
import { messagesOfProject } from './extract.ts';

const USAGE = `npm run -s translations                        checks every language; exits with 1 where something is wrong
npm run -s translations -- missing de FILE [PATH]   writes what lacks a translation (in files that begin with PATH) into FILE
npm run -s translations -- add de FILE              takes the translations that were filled in there
npm run -s translations -- tidy de                  removes those that are in the source no more, or are wrong
`;

/** A message to be translated: where it is, and in FILE its translation, empty as long as there is none. */
const entries = z.array(z.object({ where: z.string(), english: z.string(), translation: z.string() }));

const { messages, problems } = messagesOfProject();

function known(language: string): Record<string, string> {
  return existsSync(join(FOLDER, `${language}.json`)) ? { ...translationsIn(language) } : {};
}

function write(language: string, translations: Record<string, string>): void {
  const sorted = Object.fromEntries(Object.entries(translations).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(join(FOLDER, `${language}.json`), `${JSON.stringify(sorted, null, 2)}\n`);
}

function check(): void {
  for (const problem of problems) console.log(problem);
  let wrong = problems.length;
  for (const { language, missing, problems } of checkAll(messages)) {
    for (const problem of problems) console.log(`${language} ${problem}`);
    console.log(
      `${language}: ${messages.size - missing.length} of ${messages.size} messages, ${problems.length} problems`,
    );
    wrong += problems.length;
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}

function missing(language: string, file: string, path: string): void {
  const { missing } = checkTranslations(known(language), messages);
  const asked = missing.flatMap((english) => {
    const where = messages.get(english)?.find((place) => place.startsWith(path));
    return where === undefined ? [] : [{ where, english, translation: '' }];
  });
  const inOrder = asked.sort((one, other) => one.where.localeCompare(other.where, 'en', { numeric: true }));
  writeFileSync(file, `${JSON.stringify(inOrder, null, 2)}\n`);
  console.log(`${asked.length} messages to be translated are in ${file}`);
}

function add(language: string, file: string): void {
  const translations = known(language);
  let added = 0;
  for (const { english, translation } of entries.parse(JSON.parse(readFileSync(file, 'utf8')))) {
    if (translation === '') continue;
    const problem = messages.has(english) ? problemOf(english, translation) : 'is not in the source';
    if (problem === null) {
      translations[english] = translation;
      added++;
    } else {
      console.log(`not taken, ${problem}: ${english} → ${translation}`);
      process.exitCode = 1;
    }
  }
  write(language, translations);
  console.log(`${added} translations were taken into ${language}.json`);
}

function tidy(language: string): void {
  const kept = Object.entries(known(language)).filter(
    ([english, translation]) => messages.has(english) && problemOf(english, translation) === null,
  );
  write(language, Object.fromEntries(kept));
}

const [what = 'check', language = '', file = '', path = 'src/'] = process.argv.slice(2);
if (what === 'check') check();
else if (what === 'missing' && file !== '') missing(language, file, path);
else if (what === 'add' && file !== '') add(language, file);
else if (what === 'tidy' && language !== '') tidy(language);
else {
  console.error(USAGE);
  process.exitCode = 2;
}
