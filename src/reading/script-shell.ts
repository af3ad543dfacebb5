import { SHELL_TEXT_CHARS_MAX } from '#core/limits.ts';
import { buildTree } from '#extract/html/build-tree.ts';
import { isElement, nextInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/**
 * Whether a page is a shell that scripts fill: it gave almost no text and has the typical elements of such a shell.
 * Markup inside comments, scripts and attributes does not count. Pure; linear.
 *
 * @param textChars characters of text that extraction found
 */
export function isScriptShell(html: string, textChars: number): boolean {
  if (textChars > SHELL_TEXT_CHARS_MAX) return false;
  const { document, scripts } = buildTree({ html, xml: false, scripting: true });
  if (scripts === 0) return false;
  if (scripts >= SCRIPTS_OF_A_SHELL) return true;
  const root = document.documentElement;
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    if (isElement(node) && isSign(node)) return true;
  }
  return false;
}

const SCRIPTS_OF_A_SHELL = 3;
const ROOT_TAGS = new Set(['div', 'main', 'section', 'app-root']);
const ROOT_ID = /^(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app)\b/i;
const NEEDS_SCRIPTS_NOTE = /\b(?:enable|requires?|turn on|need)\b[^<]{0,80}\bjavascript/i;

/** Whether the element is the root of an app, or asks for scripts. */
function isSign(element: DomElement): boolean {
  const name = element.localName;
  if (name === 'noscript') return NEEDS_SCRIPTS_NOTE.test(element.textContent);
  if (!ROOT_TAGS.has(name)) return false;
  const isMarked = element.hasAttribute('ng-version') || element.hasAttribute('data-reactroot');
  return name === 'app-root' || isMarked || ROOT_ID.test(element.getAttribute('id') ?? '');
}
