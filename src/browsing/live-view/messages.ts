import * as z from 'zod';
import type { FromLivePage } from '#core/live-messages.ts';
import { LIVE_MESSAGE_CHARS_MAX } from './limits.ts';

const tabId = z.string().max(20);

const message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drawn') }),
  z.strictObject({ kind: z.literal('here') }),
  z.strictObject({ kind: z.literal('look'), tab: tabId }),
]) satisfies z.ZodType<FromLivePage>;

/** What a page says; `null` for what no page of ours says. */
export function readMessage(data: unknown): FromLivePage | null {
  if (typeof data !== 'string' || data.length > LIVE_MESSAGE_CHARS_MAX) return null;
  try {
    return message.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
