import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import { WEBHOOK_ANSWERS } from '../../../service/admin/webhooks.ts';
import { examination } from '../../../service/verify/verify.ts';
import { exitCode } from '../../json/members.ts';

export const serviceOutput = z
  .strictObject({
    base_url: text,
    admin_url: text.nullable(),
    api_key: text,
    signing_key_file: text,
    customer_id: text,
  })
  .meta({ description: 'One line when the service listens.' });
export type ServiceOutput = z.output<typeof serviceOutput>;

export const serviceVerifyOutput = examination
  .extend({ exit: exitCode })
  .meta({ description: 'What is wrong with the books of the shipped service.' });
export type ServiceVerifyOutput = z.output<typeof serviceVerifyOutput>;

export const serviceAdminOutput = z
  .union([z.record(text, z.unknown()), z.array(z.unknown())])
  .meta({ description: 'What the operation answers, as `data` of the admin port; without one every operation.' });

export const serviceWebhookOutputs = {
  add: WEBHOOK_ANSWERS.add.meta({ description: 'The endpoint, and the public key of its signatures.' }),
  list: WEBHOOK_ANSWERS.list.meta({ description: 'Every endpoint, and the public key of their signatures.' }),
  remove: WEBHOOK_ANSWERS.remove.meta({ description: 'The endpoint that is no more.' }),
  enable: WEBHOOK_ANSWERS.enable.meta({ description: 'The endpoint that is on again.' }),
  deliveries: WEBHOOK_ANSWERS.deliveries.meta({ description: 'The newest deliveries.' }),
  replay: WEBHOOK_ANSWERS.replay.meta({ description: 'How many deliveries are made again.' }),
};
