import { SHELL_TEXT_CHARS_MAX } from '#core/limits.ts';

const SCRIPT = /<script\b/gi;
const APP_ROOT =
  /<(?:div|main|section|app-root)\b[^>]*(?:\bid=["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app)\b|\bng-version\b|\bdata-reactroot\b)|<app-root\b/i;
const NEEDS_SCRIPTS_NOTE = /<noscript\b[^>]*>[^<]{0,300}\b(?:enable|requires?|turn on|need)\b[^<]{0,80}\bjavascript/i;

/**
 * Whether a page is a shell that scripts fill: next to no text came out of it, and it carries what such shells carry.
 * Pure.
 *
 * @param textChars characters of text that extraction found
 */
export function isScriptShell(html: string, textChars: number): boolean {
  if (textChars > SHELL_TEXT_CHARS_MAX) return false;
  const scripts = html.match(SCRIPT)?.length ?? 0;
  return scripts > 0 && (APP_ROOT.test(html) || NEEDS_SCRIPTS_NOTE.test(html) || scripts >= SCRIPTS_OF_A_SHELL);
}

const SCRIPTS_OF_A_SHELL = 3;
