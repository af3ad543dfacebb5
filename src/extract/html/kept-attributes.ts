import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import type { Attributes } from './tokens.ts';

/** Attributes that matter for content. All others are dropped before the DOM is built. */
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'class id href src data-src data-original data-lazy-src data-srcset srcset alt title lang xml:lang colspan rowspan start value type ' +
    'checked role aria-label datetime itemprop itemtype itemscope rel open name encoding display alttext reversed close data-syntaxhighlighter-params ' +
    'data-lang data-language data-line-number data-tex property content charset http-equiv width height scope disabled aria-level aria-checked data-testid data-component-type data-footnote-ref data-footnote-backref data-syntax data-enlighter-language data-code-language data-mode data-as'
  ).split(' '),
);
/** Attributes that hold addresses. */
const LINKS: ReadonlySet<string> = new Set([
  'href',
  'src',
  'data-src',
  'data-original',
  'data-lazy-src',
  'srcset',
  'data-srcset',
]);

/**
 * The attributes of a tag that are kept, as HTML.
 * @param names takes the values of `class` and `id`
 * @param cuts takes what was left out for a limit
 */
export function writtenAttributes(attributes: Attributes, names: Set<string>, cuts: Set<string>): string {
  let out = '';
  for (const [name, value] of attributes) {
    if (!KEPT_ATTRIBUTES.has(name)) continue;
    let kept = value;
    if (value.length > ATTRIBUTE_CHARS_MAX) {
      if (LINKS.has(name)) {
        if (name === 'href') cuts.add(`Links longer than ${ATTRIBUTE_CHARS_MAX} characters were left out.`);
        continue;
      }
      kept = value.slice(0, ATTRIBUTE_CHARS_MAX);
    }
    if (name === 'class' || name === 'id') names.add(kept);
    out += ` ${name}="${kept.includes('"') ? kept.replaceAll('"', '&quot;') : kept}"`;
  }
  return out;
}

/** Scripts whose text is kept: metadata, and formulas within or between lines. */
export type ScriptKind = 'json' | 'inline' | 'display';

export function scriptKind(attributes: Attributes): ScriptKind | undefined {
  const type = attributes.get('type')?.trim().toLowerCase() ?? '';
  if (type === 'application/ld+json') return 'json';
  if (!type.startsWith('math/tex')) return undefined;
  return type.includes('mode=display') ? 'display' : 'inline';
}
