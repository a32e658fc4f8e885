import { z } from 'zod';
import { reportResult } from '../../report/report-result.ts';
import { approveOutput } from '../commands/approve/json.ts';
import { cancelOutput } from '../commands/cancel/json.ts';
import { checkOutput } from '../commands/check/json.ts';
import { jobsOutput } from '../commands/jobs/json.ts';
import { keysOutput } from '../commands/keys/json.ts';
import { pauseOutput } from '../commands/pause/json.ts';
import { planOutput } from '../commands/plan/json.ts';
import { reportOutput } from '../commands/report/json.ts';
import { resolveOutput } from '../commands/resolve/json.ts';
import { resumeOutput } from '../commands/resume/json.ts';
import { retryOutput } from '../commands/retry/json.ts';
import { runOutput } from '../commands/run/json.ts';
import { runsOutput } from '../commands/runs/json.ts';
import { scheduleOutput } from '../commands/schedule/json.ts';
import {
  serviceAdminOutput,
  serviceOutput,
  serviceVerifyOutput,
  serviceWebhookOutputs,
} from '../commands/service/json.ts';
import { showOutput } from '../commands/show/json.ts';
import { templateOutput } from '../commands/template/json.ts';
import { verifyOutput } from '../commands/verify/json.ts';
import { webOutput } from '../commands/web/json.ts';
import { refusal } from './refusal.ts';

/** What each command prints with `--json` where it did its work; of several lines, each. */
const COMMANDS: Readonly<Record<string, z.ZodType>> = {
  approve: approveOutput,
  cancel: cancelOutput,
  check: checkOutput,
  jobs: jobsOutput,
  'keys new': keysOutput,
  'keys show': keysOutput,
  pause: pauseOutput,
  plan: planOutput,
  report: reportOutput,
  resolve: resolveOutput,
  resume: resumeOutput,
  retry: retryOutput,
  run: runOutput,
  runs: runsOutput,
  schedule: scheduleOutput,
  service: serviceOutput,
  'service admin': serviceAdminOutput,
  'service verify': serviceVerifyOutput,
  'service webhook add': serviceWebhookOutputs.add,
  'service webhook deliveries': serviceWebhookOutputs.deliveries,
  'service webhook enable': serviceWebhookOutputs.enable,
  'service webhook list': serviceWebhookOutputs.list,
  'service webhook remove': serviceWebhookOutputs.remove,
  'service webhook replay': serviceWebhookOutputs.replay,
  show: showOutput,
  template: templateOutput,
  verify: verifyOutput,
  web: webOutput,
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Every published schema, by its name: `check`, `service-webhook-add`; `report-file` is of report.json. */
export function publishedSchemas(): Map<string, JsonSchema> {
  const ofCommands = Object.entries(COMMANDS).map(([command, schema]): [string, JsonSchema] => {
    const title = `payrun ${command} --json`;
    const either = z.union([schema, refusal]).meta({ title, description: schema.meta()?.description ?? '' });
    return [command.replaceAll(' ', '-'), published(command.replaceAll(' ', '-'), either)];
  });
  // With its id it would be a definition in a schema of its own.
  const { id: _, ...aboutRefusal } = refusal.meta() ?? {};
  return new Map([
    ...ofCommands,
    ['refusal', published('refusal', z.strictObject(refusal.shape).meta(aboutRefusal))],
    ['report-file', published('report-file', reportResult)],
  ]);
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
