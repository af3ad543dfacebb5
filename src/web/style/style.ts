import { BASE_STYLE } from './base.ts';
import { CONSOLE_STYLE } from './console.ts';
import { PUBLIC_STYLE } from './public.ts';
import { TEXT_STYLE } from './text.ts';

/** Style of pages outside the console, inline to save a round trip. The Content-Security-Policy has its hash. */
export const STYLE = joined(BASE_STYLE, CONSOLE_STYLE, PUBLIC_STYLE, TEXT_STYLE);
/** Style of console pages: the same without the parts for the landing page and for consent. */
export const DESK_STYLE = joined(BASE_STYLE, CONSOLE_STYLE, TEXT_STYLE);

function joined(...parts: readonly string[]): string {
  return parts
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([{};]|[,:] ) ?/gu, (_, sign: string) => sign.trim());
}
