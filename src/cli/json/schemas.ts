import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { reportResult } from '../../report/report-result.ts';
import { workingCommands } from '../command.ts';
import { COMMANDS } from '../payrun.ts';
import { refusal } from './outputs.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Every published schema, by its name: `check`, `service-webhook-add`; `report-file` is of report.json. */
export async function publishedSchemas(): Promise<Map<string, JsonSchema>> {
  const schemas = new Map<string, JsonSchema>();
  for (const [words, { work }] of workingCommands(COMMANDS)) {
    const { output: given } = await work();
    const output = typeof given === 'function' ? await given() : given;
    const name = words.replaceAll(' ', '-');
    const title = `payrun ${words} --json`;
    const either = z.union([output, refusal]).meta({ title, description: output.meta()?.description ?? '' });
    schemas.set(name, published(name, either));
  }
  // With its id it would be a definition in a schema of its own.
  const { id: _, ...aboutRefusal } = refusal.meta() ?? {};
  schemas.set('refusal', published('refusal', z.strictObject(refusal.shape).meta(aboutRefusal)));
  return schemas.set('report-file', published('report-file', reportResult));
}

/** Writes every schema into the folder, as the package has them: `<name>.schema.json`. */
export async function writeSchemas(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of await publishedSchemas())
    writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}

function published(name: string, schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', override: withoutSafeBounds });
  return { $schema, $id: `urn:payrun:schema:${name}`, ...rest };
}

/** The bounds of a safe integer of JavaScript mean nothing to a reader. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
