import process from 'node:process';
import { z } from 'zod';
import { adminBody, adminOperations, performAdmin, WEBHOOK_SCHEMAS } from '../../../compose/service/admin.ts';
import { readSettings } from '../../../compose/settings.ts';
import { text } from '../../../domain/entries/members.ts';
import type { Given } from '../../command.ts';

export const output = z
  .union([z.record(text, z.unknown()), z.array(z.unknown())])
  .meta({ description: 'What the operation answers, as `data` of the admin port; without one every operation.' });

const WEBHOOK_DESCRIPTIONS: Readonly<Record<string, string>> = {
  add: 'The endpoint, and the public key of its signatures.',
  list: 'Every endpoint, and the public key of their signatures.',
  remove: 'The endpoint that is no more.',
  enable: 'The endpoint that is on again.',
  deliveries: 'The newest deliveries.',
  replay: 'How many deliveries are made again.',
};

/** The schema of what `service webhook NAME` prints. */
export function webhookOutput(name: string): z.ZodType {
  return (WEBHOOK_SCHEMAS[name] ?? z.never()).meta({ description: WEBHOOK_DESCRIPTIONS[name] ?? '' });
}

/** `service` and `admin` themselves, before the words of the body. */
const COMMAND_WORDS = 2;

/** `payrun service admin OPERATION BODY`: one operation of the running service's admin port. */
export async function run(given: Given): Promise<void> {
  if (given.operation === undefined) {
    const { json } = readSettings(given, process.env);
    process.stdout.write(json ? `${JSON.stringify(listJson())}\n` : listText());
    return;
  }
  const words = (given._ as (string | number)[]).slice(COMMAND_WORDS).map(String);
  const operation = String(given.operation);
  await perform(given, operation, adminBody(operation, words));
}

/** Performs one operation of the admin port, and prints its answer. */
export async function perform(given: Given, operation: string, body: unknown): Promise<void> {
  const { dataDir, json } = readSettings(given, process.env);
  const data = await performAdmin({ dataDir, adminUrl: given.adminUrl as string | undefined }, operation, body);
  const isPretty = process.stdout.isTTY === true && !json;
  process.stdout.write(`${JSON.stringify(data, null, isPretty ? 2 : undefined)}\n`);
}

function listJson(): Record<string, { does: string; body: object }> {
  return Object.fromEntries(adminOperations().map(({ name, does, body }) => [name, { does, body }]));
}

function listText(): string {
  const lines = adminOperations().map(({ name, does, body }) => {
    const pairs = Object.entries(body).map(([key, value]) => `${key}=${String(value)}`);
    return `${[name, ...pairs].join(' ').padEnd(72)}  ${does}\n`;
  });
  return `payrun service admin …\n\n${lines.join('')}`;
}
