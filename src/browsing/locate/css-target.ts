import { fail } from '#core/failures/failure.ts';
import { SCOPE_KINDS } from './scopes.ts';

/** A CSS selector with additions that CSS lacks: a position among its matches, and words of the row around them. */
export type CssTarget = {
  selector: string;
  /** Position among the matches, from 1; `null` if not given. */
  nth: number | null;
  /** Words of the row or section that contains the element. */
  within?: string;
  /** The kind of container around the element, such as `row` or `dialog`, if given. */
  part?: string;
};

const NTH = / nth=(\d{1,9})$/u;
const WITHIN = / in +(?:the +)?(?:([a-z]{1,20}) +)?(?:(?:with|of|named) +)?"([^"]+)"$/iu;
const WITHIN_KIND = / in (?:the )?([a-z]{1,20})$/iu;
const CHAINED_NTH = />> *nth=(-?\d{1,9})$/u;

/**
 * Splits `.save nth=2 in row "Order 17"`. No CSS selector ends in ` nth=2` or ` in "…"`.
 * @throws {PeriscopeError} `invalid_argument` for `>> nth=2`: Playwright counts from 0 there, but `nth=` counts from 1
 * here, so a guess could click the wrong element
 */
export function parseCss(target: string): CssTarget {
  const chained = CHAINED_NTH.exec(target)?.[1];
  if (chained !== undefined) refuseChained(Number(chained));
  const [outer, nthOutside] = cutNth(target.trim());
  const [whole = '', part, within] = WITHIN.exec(outer) ?? inKind(outer) ?? [];
  if (within === undefined) return { selector: outer, nth: nthOutside };
  const [selector, nthInside] = cutNth(outer.slice(0, -whole.length).trimEnd());
  const kind = part?.toLowerCase();
  const isKind = kind !== undefined && !/^(?:with|of|named)$/u.test(kind);
  return { selector, nth: nthInside ?? nthOutside, within: within.trim(), ...(isKind ? { part: kind } : {}) };
}

/** `.save in dialog`. Words that may be a label, as in "log in menu", are not split. */
function inKind(target: string): readonly [whole: string, part: string, within: string] | null {
  const [whole, kind = ''] = WITHIN_KIND.exec(target) ?? [];
  const isKind = SCOPE_KINDS.has(kind.toLowerCase()) && /[#.[:>*]/u.test(target);
  return whole === undefined || !isKind ? null : [whole, kind, ''];
}

/** True if a target has a position or a container besides its selector. */
export function hasPositionOrContainer({ nth, within }: CssTarget): boolean {
  return nth !== null || within !== undefined;
}

function cutNth(target: string): [before: string, nth: number | null] {
  const [whole = '', digits] = NTH.exec(target) ?? [];
  return digits === undefined ? [target, null] : [target.slice(0, -whole.length).trimEnd(), Number(digits)];
}

function refuseChained(index: number): never {
  return fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: `ends in ">> nth=${index}", which is not supported`,
    hint:
      index < 0
        ? 'Write nth=1 for the first match, without >>.'
        : `Write nth=${index + 1} without >> for the same element: nth=1 is the first match here.`,
  });
}
/** True for ordinary words that are not meant as a CSS selector. */
export function isPlainTextTarget(target: string): boolean {
  if (!/^[\p{L}\p{N}_](?:[\p{L}\p{N}_\s’'&/()?!%+*-]|[.,:](?=\s|$))*$/u.test(target)) return false;
  if (/[\p{Lu}]|[^\x20-\x7e]/u.test(target)) return true;
  const words = target.split(/\s+/u);
  return !words.some((word) => word.includes('-')) && !words.every((word) => TAGS.has(word));
}

const TAGS: ReadonlySet<string> = new Set(
  `a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col
   colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame h1 h2
   h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta meter
   nav object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot
   small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul
   var video wbr path g circle rect`.split(/\s+/u),
);
