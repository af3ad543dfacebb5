import { BASE_CSS } from './base.ts';
import { CONSOLE_CSS } from './console.ts';
import { PUBLIC_PAGES_CSS } from './public.ts';
import { READING_TEXT_CSS } from './text.ts';

/** Style of pages outside the console, inline to save a round trip. The Content-Security-Policy has its hash. */
export const SITE_CSS = joined(BASE_CSS, CONSOLE_CSS, PUBLIC_PAGES_CSS, READING_TEXT_CSS);
/** Style of console pages: the same without the parts for the landing page and for consent. */
export const CONSOLE_PAGES_CSS = joined(BASE_CSS, CONSOLE_CSS, READING_TEXT_CSS);

function joined(...parts: readonly string[]): string {
  return parts
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([{};]|[,:] ) ?/gu, (_, sign: string) => sign.trim());
}
