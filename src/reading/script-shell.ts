import { SHELL_TEXT_CHARS_MAX } from '#core/limits.ts';
import { tokenize } from '#extract/html/tokens.ts';
import type { Attributes, TokenSink } from '#extract/html/tokens.ts';

/**
 * Whether a page is a shell that scripts fill: it gave almost no text and has the typical elements of such a shell.
 * Markup inside comments, scripts and attributes does not count. Pure; linear.
 *
 * @param textChars characters of text that extraction found
 */
export function isScriptShell(html: string, textChars: number): boolean {
  if (textChars > SHELL_TEXT_CHARS_MAX) return false;
  const signs = new ShellSigns();
  tokenize(html, signs, { xml: false, asBrowser: true });
  const { scripts, isApp, asksForScripts } = signs;
  return scripts > 0 && (isApp || asksForScripts || scripts >= SCRIPTS_OF_A_SHELL);
}

const SCRIPTS_OF_A_SHELL = 3;
const ROOT_TAGS = new Set(['div', 'main', 'section', 'app-root']);
const ROOT_ID = /^(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app)\b/i;
const NEEDS_SCRIPTS_NOTE = /\b(?:enable|requires?|turn on|need)\b[^<]{0,80}\bjavascript/i;

class ShellSigns implements TokenSink {
  scripts = 0;
  isApp = false;
  asksForScripts = false;

  isDone(): boolean {
    return false;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'script') this.scripts += 1;
    if (name === 'app-root') this.isApp = true;
    if (!ROOT_TAGS.has(name)) return;
    this.isApp ||= ROOT_ID.test(attributes.get('id') ?? '');
    this.isApp ||= attributes.has('ng-version') || attributes.has('data-reactroot');
  }

  rawText(name: string, source: string): void {
    if (name === 'noscript') this.asksForScripts ||= NEEDS_SCRIPTS_NOTE.test(source);
  }

  close(): void {
    // Only what begins counts.
  }

  text(): void {
    // Text in sight is counted by extraction.
  }
}
