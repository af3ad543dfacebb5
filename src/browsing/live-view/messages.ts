import * as z from 'zod';
import type { FromLivePage } from '#core/live-messages.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import {
  LIVE_CHOICES_MAX,
  LIVE_FINGERS_MAX,
  LIVE_MESSAGE_CHARS_MAX,
  LIVE_TEXT_CHARS_MAX,
  LIVE_TICKET_CHARS_MAX,
} from './limits.ts';

const tabId = z.string().max(20);
const share = z.number().min(0).max(1);
const point = { x: share, y: share };
const held = z.int().min(0).max(15);
const text = z.string().max(LIVE_TEXT_CHARS_MAX);

const message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drawn') }),
  z.strictObject({ kind: z.literal('here'), ticket: z.string().max(LIVE_TICKET_CHARS_MAX).optional() }),
  z.strictObject({ kind: z.literal('look'), tab: tabId }),
  z.strictObject({ kind: z.literal('take') }),
  z.strictObject({ kind: z.literal('give') }),
  z.strictObject({ kind: z.literal('decline') }),
  z.strictObject({
    kind: z.literal('mouse'),
    type: z.enum(['move', 'down', 'up']),
    button: z.enum(['none', 'left', 'middle', 'right']),
    clicks: z.int().min(0).max(3),
    held,
    ...point,
  }),
  z.strictObject({
    kind: z.literal('wheel'),
    dx: z.number().min(-9).max(9),
    dy: z.number().min(-9).max(9),
    held,
    ...point,
  }),
  z.strictObject({
    kind: z.literal('touch'),
    type: z.enum(['start', 'move', 'end', 'cancel']),
    points: z.array(z.strictObject(point)).max(LIVE_FINGERS_MAX),
  }),
  z.strictObject({
    kind: z.literal('key'),
    type: z.enum(['down', 'up']),
    key: z.string().min(1).max(32),
    code: z.string().max(32),
    held,
    again: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('compose'), text }),
  z.strictObject({ kind: z.literal('go'), url: z.string().max(URL_CHARS_MAX) }),
  z.strictObject({ kind: z.literal('history'), move: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('shut'), tab: tabId }),
  z.strictObject({ kind: z.literal('answer'), accept: z.boolean(), text }),
  z.strictObject({ kind: z.literal('choose'), at: z.int().min(0).max(LIVE_CHOICES_MAX) }),
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
