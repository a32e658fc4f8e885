import { z } from 'zod';
import { connection } from '../connection.ts';

/** Where it is paid: one of both, or neither for a rehearsal. */
export const servicePart = {
  profile: z.string().min(1).optional().describe('the file of a connection profile, beside this file'),
  service: connection.optional().describe('the connection profile itself'),
};
