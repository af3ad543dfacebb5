import { isPlainTextTarget } from '#browsing/locate/css-target.ts';
import { collapseWhiteSpace, parseNestedTarget } from '#browsing/locate/named.ts';
import { convertForeignTarget, isMarkedCss } from '#browsing/locate/foreign-syntax.ts';
import { isSlashRegex } from '#browsing/locate/pattern.ts';
import { TARGET_ROLE_NAMES } from '#browsing/locate/scopes.ts';

export function splitAtMatch(words: string, at: RegExp): { before: string; after: string } | null {
  const found = at.exec(maskQuotes(words));
  if (found === null) return null;
  const before = words.slice(0, found.index).trim();
  return before === '' ? null : { before, after: words.slice(found.index + found[0].length).trim() };
}

export function maskQuotes(words: string): string {
  return words.replaceAll(/"[^"]*"|“[^“”]*”|(?<=^|[\s=])'[^']*'|\[[^[\]]*\]/gu, (found) => {
    return found.charAt(0) + '_'.repeat(found.length - 2) + found.charAt(found.length - 1);
  });
}

export function unquote(words: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/su.exec(words) ?? [];
  const inside = double ?? single;
  const [, curly] = /^“(.*)”$/su.exec(words) ?? [];
  return inside?.replaceAll('\\"', '"') ?? curly ?? words;
}

export function removeMatch(words: string, start: RegExp): string {
  return words.replace(start, '');
}

const BY_ROLE = /^(?:the\s+)?(drop zone|[a-z]+)\s+(.+?)(\s+nth=\d{1,9}|\s+\(\d+(?:st|nd|rd|th) of \d+\))?$/isu;

const READY_NAME = /^(?:nth=|\()/u;

/**
 * The target inside a row, a dialog or another container: `button in row "Ann"`. In a container, a role alone is
 * enough. `null` if the words name no container.
 */
function inPartOf(target: string, by: 'text' | 'label'): string | null {
  const found = parseNestedTarget(target);
  if (found === null) return null;
  const { inside, part, within, nth } = found;
  const named = TARGET_ROLE_NAMES.has(inside) ? inside : parseStepTarget(inside, by);
  if (named === null) return null;
  const which = nth === undefined || /nth=\d+$/u.test(named) ? '' : ` nth=${nth}`;
  const words = within === '' ? [] : [`"${within}"`];
  return `${named}${which} in ${[...(part === undefined ? [] : [part]), ...words].join(' ')}`;
}

/**
 * Converts the target words of a step to a target of the tools; `null` if they are empty. Words without a role mean a
 * text or a field's label, depending on `by`.
 */
export function parseStepTarget(words: string, by: 'text' | 'label'): string | null {
  const named = removeMatch(collapseWhiteSpace(words), /^the\s+/iu).replace(/^ref\s*=\s*(?=\S)/iu, '');
  const target = convertForeignTarget(named);
  if (target === '') return null;
  if (isMarkedCss(named)) return target;
  if (by === 'text' && isSlashRegex(target)) return `text=${target}`;
  const inPart = inPartOf(target, by);
  if (inPart !== null) return inPart;
  const bare = unquote(target);
  if (bare !== target && bare.trim() === '') return null;
  const [, role = '', name = '', nth = ''] = BY_ROLE.exec(target) ?? [];
  // The first word is a role if it is in lower case or a quoted name follows, as in `Button "Save"`.
  const isRole = TARGET_ROLE_NAMES.has(role) || (/^["“']/u.test(name) && TARGET_ROLE_NAMES.has(role.toLowerCase()));
  if (isRole && name !== '') {
    return READY_NAME.test(name) ? target : `${role.toLowerCase()} "${unquote(name)}"${nth}`;
  }
  const [, before, after = ''] = /^"([^"]+)"\s+([a-z][a-z ]*)$/u.exec(target) ?? [];
  if (before !== undefined && TARGET_ROLE_NAMES.has(after)) return `${after} "${before}"`;
  if (bare === target && !isPlainTextTarget(target)) return target;
  return by === 'text' ? `text="${bare}"` : `"${bare}"`;
}

export function isStepTarget(words: string): boolean {
  const [, role = ''] = BY_ROLE.exec(collapseWhiteSpace(words)) ?? [];
  return /^(?:@e\d|text=|css=|["“#.[])/u.test(words.trim()) || TARGET_ROLE_NAMES.has(role.toLowerCase());
}
