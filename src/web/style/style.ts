import { BASE_STYLE } from './base.ts';
import { CONSOLE_STYLE } from './console.ts';
import { PUBLIC_STYLE } from './public.ts';
import { TEXT_STYLE } from './text.ts';

/** The style of pages outside the console, inline: a page comes in one round trip, and its policy names its hash. */
export const STYLE = joined(BASE_STYLE, CONSOLE_STYLE, PUBLIC_STYLE, TEXT_STYLE);
/** The style of console pages, which have no use for the parts of the landing page and of consent. */
export const DESK_STYLE = joined(BASE_STYLE, CONSOLE_STYLE, TEXT_STYLE);

function joined(...parts: readonly string[]): string {
  return parts
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([{};]|[,:] ) ?/gu, (_, sign: string) => sign.trim());
}
