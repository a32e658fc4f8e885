import { z } from 'zod';

/** Members that many entries have. */
export const text = z.string();
export const count = z.int().nonnegative();
export const minor = z.string().regex(/^-?\d+$/);
export const milliseconds = z.number();
export const currency = z.strictObject({ code: text, chain: text.nullable(), decimals: count });
