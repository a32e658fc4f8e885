import { z } from 'zod';
import type { WebContext } from '../web.ts';

/** One text of a form; empty where it is missing. A file is no text. */
export const text = z.string().catch('');

/** All texts of one name, such as boxes that are ticked. */
export const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]);

/** Whether a box is ticked that says `yes`. */
export const isYes = text.transform((value) => value === 'yes');

/** The fields of the form that was sent, by their shapes. None of them fails: what is wrong reads as empty. */
export async function readForm<Shape extends z.ZodRawShape>(context: WebContext, shape: Shape) {
  return z.looseObject(shape).parse(await context.req.parseBody({ all: true }));
}
