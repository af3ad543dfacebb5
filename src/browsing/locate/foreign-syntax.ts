import { SCOPE_KINDS } from './scopes.ts';

/** Targets in the syntax of Playwright, which models often write. */

const CSS = /^(?:css|selector)\s?=\s?(?=\S)/iu;
const ROLE = /^role\s?=\s?([a-z]+)\s?\[\s?name\s?=\s?(?:"([^"]+)"i?|'([^']+)'i?|([^"'\]]+))\]/iu;
const ATTRIBUTE =
  /^(label|placeholder|alt|title|id|name|data-testid|testid)\s?=\s?(?:"([^"]+)"|'([^']+)'|([^"'\s][^"']*))/iu;
/** A position or a container after a value without quotes, which may have several words. */
const AFTER_VALUE = / nth=\d| in (?:the )?(?:[a-z]{1,20} )?$/iu;
const KIND_AFTER_VALUE = / in (?:the )?([a-z]{1,20})$/iu;

/** True for a CSS selector with a prefix, which is no role or label, whatever its first word. */
export function isMarkedCss(target: string): boolean {
  return CSS.test(target.trim());
}

/** Converts a prefix such as `css=`, `role=` or `label=` to the syntax of the tools. Other targets stay unchanged. */
export function convertForeignTarget(target: string): string {
  const given = target.trim();
  if (CSS.test(given)) return given.replace(CSS, '');
  const [byRole, role = '', ...named] = ROLE.exec(given) ?? [];
  if (byRole !== undefined) return `${role.toLowerCase()} "${firstOf(named)}"${given.slice(byRole.length)}`;
  const [byAttribute, name = '', ...values] = ATTRIBUTE.exec(given) ?? [];
  if (byAttribute === undefined) return target;
  const bare = values[2] ?? '';
  const end = endOfValue(bare);
  const value = `"${bare === '' ? firstOf(values) : bare.slice(0, end).trim()}"`;
  const key = name.toLowerCase();
  const attribute = key === 'testid' ? 'data-testid' : key;
  return `${key === 'label' ? value : `[${attribute}=${value}]`}${bare.slice(end)}${given.slice(byAttribute.length)}`;
}

function endOfValue(bare: string): number {
  const kind = KIND_AFTER_VALUE.exec(bare);
  const after = SCOPE_KINDS.has(kind?.[1]?.toLowerCase() ?? '') ? kind : AFTER_VALUE.exec(bare);
  return after?.index ?? bare.length;
}

function firstOf(values: readonly (string | undefined)[]): string {
  return values.find((value) => value !== undefined)?.trim() ?? '';
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:xpath\s*=|\.?\/\/|\()/iu, 'XPath is not supported.'],
  [/:(?:has-text|text|text-is|text-matches|visible|nth-match)\b/iu, 'Playwright’s pseudo-classes are not supported.'],
  [/>>/u, 'Chains with >> are not supported. For a part of the page, add in "words", or in dialog.'],
  [/^role\s*=/iu, 'A role needs a name.'],
];

/** A hint for a target that is not valid CSS, with the forms that work. */
export function hintForInvalidTarget(target: string): string {
  const reason = HINTS.find(([form]) => form.test(target.trim()))?.[1];
  return reason === undefined
    ? 'Call browser_snapshot and pass one of its refs.'
    : `${reason} Write button "Save", "Name" (a label), text=Saved or a CSS selector, or pass a ref.`;
}
