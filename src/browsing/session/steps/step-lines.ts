import { parseKeyChord, isClipboardShortcut } from '#browsing/act/fields/type-text.ts';
import type { BrowserStep } from './step-list.ts';
import { isPlainTextTarget } from '#browsing/locate/css-target.ts';
import { parseNestedTarget } from '#browsing/locate/named.ts';
import type { PointTarget } from '#browsing/session/operations/point.ts';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { fail } from '#core/failures/failure.ts';
import { splitAtMatch, isStepTarget, maskQuotes, parseStepTarget, unquote, removeMatch } from './step-targets.ts';

/** Maximum faulty lines quoted in an error, to leave room for the grammar of the steps. */
const BAD_LINES_TOLD_MAX = 3;
const PRESSES_MAX = 50;
const SCROLL_PAGES_MAX = 50;
const SCROLL_PX_MAX = 100_000;

const FORMS = {
  click: 'click @e12 · click button "Save" · click text=Save · click 403,474 · double-click … · right-click …',
  fill: 'fill @e12 = value · fill textbox "Name" = value · fill "Name" = secret:NAME',
  type: 'type "words" · type "words" into @e12',
  press: 'press Enter · press Control+A · press Tab Tab Enter · press Enter in @e12',
  choose: 'choose combobox "Size" = Large · choose "Tags" = Red | Blue',
  check: 'check checkbox "I agree" · uncheck @e12',
  hover: 'hover @e12 · hover button "More"',
  drag: 'drag @e12 to @e15',
  scroll: 'scroll down · scroll up 2 · scroll down 300 px · scroll to @e12 · scroll down in @e12',
  wait: 'wait text=Saved · wait dialog "Done" · wait gone text=Loading',
  expect:
    'expect text=Saved · expect row "Order 17" has "Paid" · expect textbox "Name" = Ann · expect button "Save" is disabled · expect gone text=Error',
} as const;
type Form = keyof typeof FORMS;

type Bad = { problem: string; form: Form | null };
type Read = BrowserStep | Bad;

/**
 * Parses the lines of `browser_do`. Accepts obvious variants, such as other verbs or missing quotes.
 * @param perRound number of lines that are repeated for each string
 * @throws {PeriscopeError} `invalid_argument` with the grammar of the lines that cannot be parsed
 */
export function parseStepLines(lines: readonly string[], perRound = lines.length): BrowserStep[] {
  const read = lines.map(readStep);
  const unread = read.flatMap((step, at) => ('kind' in step ? [] : [{ ...step, line: (at % perRound) + 1 }]));
  const bad = unread.filter(({ line }, at) => unread.findIndex((other) => other.line === line) === at);
  if (bad.length > 0) return failUnread(bad);
  return read.flatMap((step) => ('kind' in step ? [step] : []));
}

function failUnread(bad: readonly (Bad & { line: number })[]): never {
  const told = bad.slice(0, BAD_LINES_TOLD_MAX);
  const more = bad.length > told.length ? [`and ${bad.length - told.length} more lines`] : [];
  const forms = [...new Set(told.map(({ form }) => form))];
  const grammar = forms.includes(null)
    ? Object.values(FORMS)
    : forms.flatMap((form) => (form === null ? [] : FORMS[form]));
  return fail({
    code: 'invalid_argument',
    field: 'steps',
    problem: [...told.map(({ line, problem }) => `line ${line}: ${problem}`), ...more].join('; '),
    hint: `Write: ${grammar.join(' · ')}. Nothing was done.`,
  });
}

const VERB = /^(?:browser_)?((?:double|right|middle|left)[ _-]?click|wait[ _-]for|[a-z]+)(?:\s*:)?(?:\s+|$)/iu;
const BULLET = /^(?:\d{1,2}[.)]|[-*•])\s+/u;

/** Parses the text of a line after its verb. @param ends line breaks at the end of the line, which `type` keeps */
type Reader = (rest: string, ends: string) => Read;

const VERBS: Readonly<Record<string, Reader>> = {
  ...among('click tap leftclick', (rest) => clickOf(rest, 'left', 1)),
  ...among('doubleclick dblclick', (rest) => clickOf(rest, 'left', 2)),
  ...among('rightclick contextclick', (rest) => clickOf(rest, 'right', 1)),
  ...among('middleclick', (rest) => clickOf(rest, 'middle', 1)),
  ...among('fill set enter input write', fillOf),
  ...among('clear', (rest) => fieldOf(rest, '', 'fill')),
  ...among('type', typeOf),
  ...among('press key keys hit', pressOf),
  ...among('choose select pick', chooseOf),
  ...among('check tick', (rest) => checkOf(rest, 'true')),
  ...among('uncheck untick', (rest) => checkOf(rest, 'false')),
  ...among('hover', hoverOf),
  ...among('drag', dragOf),
  ...among('scroll', scrollOf),
  ...among('wait waitfor', waitOf),
  ...among('expect assert verify ensure', expectOf),
};

function among(verbs: string, read: Reader): Record<string, Reader> {
  return Object.fromEntries(verbs.split(' ').map((verb) => [verb, read]));
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  ...instead('navigate goto go open visit reload back', 'call browser_navigate'),
  ...instead('evaluate eval execute run script', 'a list runs no scripts'),
  ...instead('screenshot snapshot', 'pass snapshot, or call browser_screenshot'),
  ...instead('upload', 'call browser_files'),
};

function instead(verbs: string, what: string): Record<string, string> {
  return Object.fromEntries(verbs.split(' ').map((verb) => [verb, what]));
}

function readStep(line: string): Read {
  const words = line.trim().replace(BULLET, '');
  const [whole, verb = ''] = VERB.exec(words) ?? [''];
  const name = verb.toLowerCase().replaceAll(/[ _-]/gu, '');
  const read = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (read !== undefined)
    return read(words.slice(whole.length).trim(), lineBreaksIn(line.slice(line.trimEnd().length)));
  const known = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  return {
    problem: known === undefined ? 'it begins with no known action' : `this is not a step: ${known}`,
    form: null,
  };
}

function lineBreaksIn(space: string): string {
  return space.replaceAll(/[^\n]+/gu, '');
}

const bad = (form: Form, problem: string): Bad => ({ problem, form });

function clickOf(rest: string, button: 'left' | 'right' | 'middle', clickCount: 1 | 2): Read {
  const words = removeMatch(rest, /^(?:on|at)\s+/iu);
  const pixel = pixelOf(words);
  if (pixel !== null && button !== 'middle') {
    const action = button === 'right' ? 'right_click' : clickCount === 2 ? 'double_click' : 'click';
    return { kind: 'point', action, at: { pixel }, to: null, modifiers: [], holdMs: 0 };
  }
  const target = parseStepTarget(words, 'text');
  if (target === null) return bad('click', 'it names nothing to click');
  return { kind: 'click', target, button, clickCount, modifiers: [] };
}

function pixelOf(words: string): { x: number; y: number } | null {
  const [, x, y] =
    /^\(?(?:x\s*=\s*)?(\d{1,5}(?:\.\d+)?)\s*,\s*(?:y\s*=\s*)?(0|[1-9]\d{0,4}(?:\.\d+)?)\)?$/u.exec(words) ?? [];
  return x === undefined || y === undefined ? null : { x: Number(x), y: Number(y) };
}

function placeOf(words: string): PointTarget | null {
  const pixel = pixelOf(removeMatch(words, /^at\s+/iu));
  if (pixel !== null) return { pixel };
  const target = parseStepTarget(words, 'text');
  return target === null ? null : { target };
}

function fillOf(rest: string): Read {
  const words = removeMatch(rest, /^(?:in|out)\s+(?=\S)/iu);
  const pair = fieldAndValue(words);
  return pair === null ? bad('fill', 'it needs a field, = and a value') : fieldOf(pair.field, pair.value, 'fill');
}

function fieldOf(field: string, value: string, form: Form): Read {
  const target = parseStepTarget(field, 'label');
  if (target === null) return bad(form, 'it names no field');
  return { kind: 'fill', target, value, ...(form === 'choose' ? { isChoice: true } : {}) };
}

function typeOf(rest: string, ends: string): Read {
  if (rest === '' && ends === '') return bad('type', 'there is nothing to type');
  const keys = { kind: 'type' as const, key: undefined, submit: false, slowly: false };
  const equal = splitAtMatch(rest, EQUALS);
  if (equal !== null && isStepTarget(equal.before) && !/^[a-z]+ [^"(n]/iu.test(equal.before))
    return fieldOf(equal.before, unquote(equal.after), 'fill');
  const into = ofField(rest, /\s(?:into|in|to)\s/u) ?? ofField(rest, /\sinto\s/u, isPlainTextTarget);
  if (into !== null) {
    const between = lineBreaksIn(/^\s*/u.exec(rest.slice(into.before.length))?.[0] ?? '');
    const text = unquote(into.before) + between + ends;
    return { ...keys, target: parseStepTarget(into.after, 'label') ?? undefined, text };
  }
  const [, field, text] = LEADING_TARGET.exec(rest) ?? [];
  if (field === undefined || text === undefined) return { ...keys, target: undefined, text: unquote(rest) + ends };
  return { ...keys, target: parseStepTarget(field, 'label') ?? undefined, text: unquote(text) + ends };
}

const LEADING_TARGET = /^(@e\d+|(?:drop zone|[a-z]+)\s+"[^"]*"(?:\s+nth=\d+)?)\s+(.+)$/isu;

function pressOf(rest: string): Read {
  const keys = keysOf(unquote(rest));
  const pressed = { kind: 'type' as const, text: undefined, submit: false, slowly: false };
  if (keys !== null) return { ...pressed, target: undefined, key: keys };
  const at = splitAtMatch(rest, /\s(?:in|on|into|at)\s/u);
  const atKeys = at === null ? null : keysOf(unquote(at.before));
  const target = at === null ? null : parseStepTarget(at.after, 'label');
  if (atKeys !== null && target !== null) return { ...pressed, target, key: atKeys };
  const [, field, later = ''] = LEADING_TARGET.exec(rest) ?? [];
  const laterKeys = keysOf(unquote(later));
  if (field !== undefined && laterKeys !== null) {
    return { ...pressed, target: parseStepTarget(field, 'label') ?? undefined, key: laterKeys };
  }
  return isStepTarget(rest)
    ? clickOf(rest, 'left', 1)
    : bad('press', 'it names no key, or one that cannot be pressed here');
}

/**
 * The keys named in a line.
 * @returns `null` for none or too many keys, for an unknown key, and for a chord for the clipboard that all sessions
 * share
 */
function keysOf(words: string): string | null {
  const [, key, times] = /^(\S+)\s*(?:[×x*]\s*(\d{1,2})|(?<=\s)(\d{1,2})\s+times)$/u.exec(words) ?? [];
  const count = Number(times ?? /(\d{1,2})\s+times$/u.exec(words)?.[1] ?? 1);
  const names = (key ?? words)
    .replaceAll(/(?<!\s)\s*\+\s*(?=\S)/gu, '+')
    .split(/,?\s+/u)
    .filter((name) => name !== '');
  const all = Array.from({ length: count }, () => names).flat();
  if (all.length === 0 || all.length > PRESSES_MAX) return null;
  const isFine = names.every((name) => {
    const chord = parseKeyChord(name);
    return chord !== null && !isClipboardShortcut(chord);
  });
  return isFine ? all.join(' ') : null;
}

function chooseOf(rest: string): Read {
  const from = ofField(rest, /\s(?:in|from|for)\s/u) ?? ofField(rest, /\sfrom\s/u, isPlainTextTarget);
  if (splitAtMatch(rest, EQUALS) === null && from !== null) {
    return fieldOf(from.after, unquote(from.before.replace(/^option\s+/iu, '')), 'choose');
  }
  const pair = fieldAndValue(rest);
  if (pair !== null) return fieldOf(pair.field, pair.value, 'choose');
  // A radio button is checked like a check box. A click on anything else has no state to verify afterwards.
  if (/^(?:the\s+)?(?:radio|menuitemradio)\s/iu.test(rest)) return checkOf(rest, 'true');
  return isStepTarget(rest) ? clickOf(rest, 'left', 1) : bad('choose', 'it needs a list, = and an option');
}

function checkOf(rest: string, value: 'true' | 'false'): Read {
  const equal = splitAtMatch(rest, EQUALS);
  if (equal === null) return fieldOf(rest, value, 'check');
  const said = unquote(equal.after).toLowerCase();
  if (said !== 'true' && said !== 'false') return bad('check', 'a box is true or false');
  return fieldOf(equal.before, said === 'true' ? value : value === 'true' ? 'false' : 'true', 'check');
}

function hoverOf(rest: string): Read {
  const at = placeOf(removeMatch(rest, /^(?:over|on)\s+/iu));
  if (at === null) return bad('hover', 'it names nothing to hover over');
  return { kind: 'point', action: 'hover', at, to: null, modifiers: [], holdMs: 0 };
}

function dragOf(rest: string): Read {
  const pair = splitAtMatch(rest, /\s(?:to|onto|into|->|→)\s/u);
  const from = pair === null ? null : placeOf(pair.before);
  const to = pair === null ? null : placeOf(pair.after);
  if (from === null || to === null) return bad('drag', 'it needs what to drag, to, and where');
  return { kind: 'point', action: 'drag', at: from, to, modifiers: [], holdMs: 0 };
}

const SCROLL =
  /^(?:(.+?)\s)?(up|down|left|right)(?:\s(?:by\s)?(\d{1,6}(?:\.\d+)?)\s?(px|pixels?|pages?|screens?)?)?(?:\s(?:in|on|over)\s(.+))?$/iu;

const WAYS = ['up', 'down', 'left', 'right'] as const;

function scrollOf(rest: string): Read {
  const words = rest.replaceAll(/\s+/gu, ' ');
  const by = { kind: 'scroll' as const, target: undefined, intoView: false };
  const [, end] = /^(?:to )?(?:the )?(top|start|beginning|bottom|end)(?: of the page)?$/iu.exec(words) ?? [];
  if (end !== undefined) {
    const direction = /^[be](?:ottom|nd)/iu.test(end) ? 'down' : 'up';
    return { ...by, direction, amount: SCROLL_PAGES_MAX, unit: 'pages' };
  }
  const [whole, before, way, number = '1', unit = 'pages', inside] = SCROLL.exec(words === '' ? 'down' : words) ?? [];
  if (whole === undefined) {
    const place = parseStepTarget(
      words.replace(/^(?:to|until)\s+/iu, '').replace(/(?<!\s)\s+into view$/iu, ''),
      'text',
    );
    if (place === null) return bad('scroll', 'it names no direction and no element');
    return { kind: 'scroll', target: place, intoView: true, direction: 'down', amount: 1, unit: 'pages' };
  }
  const isPx = /^px|^pixel/iu.test(unit);
  const amount = Number(number);
  if (amount > (isPx ? SCROLL_PX_MAX : SCROLL_PAGES_MAX))
    return bad('scroll', 'it goes too far: pass px, or scroll again');
  const place = before ?? inside;
  const target = place === undefined ? undefined : (parseStepTarget(place, 'text') ?? undefined);
  const direction = WAYS.find((one) => one === way?.toLowerCase()) ?? 'down';
  return { ...by, target, direction, amount, unit: isPx ? 'px' : 'pages' };
}

function waitOf(rest: string): Read {
  const words = removeMatch(removeMatch(rest, /^for\s+/iu), /^until\s+/iu);
  if (/^\d+(?:\.\d+)?\s*(?:ms|s|seconds?|milliseconds?)?$/iu.test(words)) {
    return bad('wait', 'steps wait for their effects by themselves: name what has to come or go');
  }
  const wanted = conditionOf(words);
  return wanted === null ? bad('wait', 'it names nothing to wait for') : { kind: 'wait', wanted };
}

const GONE_FIRST = /^(?:gone|no|not|hidden)(?:\s+|[_=:]\s*)(?=\S)/iu;
const GONE_LAST = /(?<!\s)\s+(?:is\s+|are\s+|to\s+be\s+)?(?:gone|hidden|not visible|disappears?|to disappear)$/iu;
const THERE_LAST = /(?<!\s)\s+(?:is\s+|are\s+|to\s+be\s+)?(?:visible|shown|there|present|appears?|to appear)$/iu;

function conditionOf(words: string): WaitCondition | null {
  const isGone = GONE_FIRST.test(words) || GONE_LAST.test(maskQuotes(words));
  const bare = removeMatch(words, GONE_FIRST);
  const mask = maskQuotes(bare);
  const end = (GONE_LAST.exec(mask) ?? THERE_LAST.exec(mask))?.index ?? bare.length;
  const about = bare.slice(0, end).trim();
  const isInPart = /^text=/iu.test(about) && parseNestedTarget(about) !== null;
  const [, text] = isInPart ? [] : (/^text(?:\s*[=:]\s*|\s+)(.+)$/isu.exec(about) ?? []);
  if (text !== undefined) return { kind: 'text', value: unquote(text.trim()), isGone };
  const target = parseStepTarget(about, 'text');
  if (target === null) return null;
  return target.startsWith('text=') && parseNestedTarget(target) === null
    ? { kind: 'text', value: unquote(target.slice('text='.length)), isGone }
    : { kind: 'selector', value: target, isGone };
}

const HAS = /\s(?:to\s)?(?:has|have|contains?|includes?|shows?|says)\s(?:text\s)?/u;
const HAS_NOT =
  /\s(?:has\sno|has\snot|does\snot\s(?:have|contain|include|show)|doesn't\s(?:have|contain|include|show))\s(?:text\s)?/u;
const STATES: Readonly<Record<string, readonly [state: string, isNot: boolean]>> = {
  checked: ['checked', false],
  unchecked: ['checked', true],
  disabled: ['disabled', false],
  enabled: ['disabled', true],
  selected: ['selected', false],
  pressed: ['pressed', false],
  expanded: ['expanded', false],
  collapsed: ['collapsed', false],
  focused: ['focused', false],
  required: ['required', false],
  invalid: ['invalid', false],
  readonly: ['readonly', false],
  current: ['current', false],
};

function expectOf(rest: string): Read {
  const words = removeMatch(rest, /^(?:that|to\s+see)\s+/iu);
  if (!GONE_FIRST.test(words)) {
    const asked = askedOf(words);
    if (asked !== null) return asked;
  }
  const wanted = conditionOf(words);
  return wanted === null ? bad('expect', 'it names nothing to expect') : { kind: 'expect', wanted };
}

/** Parses an expected text, value or state of an element. @returns `null` if the words have none of these forms */
function askedOf(words: string): Read | null {
  const not = splitAtMatch(words, HAS_NOT);
  const has = not ?? splitAtMatch(words, HAS);
  if (has !== null) return askOf(has.before, 'text', { of: 'words', is: unquote(has.after), isNot: not !== null });
  const equal = splitAtMatch(words, EQUALS);
  if (equal !== null) return askOf(equal.before, 'label', { of: 'value', is: unquote(equal.after), isNot: false });
  const [state, before, negated, name = ''] =
    /^(.+?)\s(?:(?:is|are|to\sbe)\s)?(not\s)?([a-z]+)$/iu.exec(words.replaceAll(/\s+/gu, ' ')) ?? [];
  const meant = Object.hasOwn(STATES, name.toLowerCase()) ? STATES[name.toLowerCase()] : undefined;
  if (state === undefined || before === undefined || meant === undefined) return null;
  return askOf(before, 'label', { of: 'state', is: meant[0], isNot: meant[1] !== (negated !== undefined) });
}

function askOf(
  words: string,
  by: 'text' | 'label',
  asked: { of: 'words' | 'value' | 'state'; is: string; isNot: boolean },
): Read {
  const target = parseStepTarget(words, by);
  return target === null ? bad('expect', 'it names no element') : { kind: 'expect', target, asked };
}

function ofField(words: string, at: RegExp, isField = isStepTarget): { before: string; after: string } | null {
  const found = splitAtMatch(words, at);
  return found !== null && isField(found.after) ? found : null;
}

const EQUALS = /\s=\s?|=\s|(?<=["'”’]|^@e\d{1,9})=|\s=$|^=/u;

function fieldAndValue(words: string): { field: string; value: string } | null {
  const equal = splitAtMatch(words, EQUALS);
  if (equal !== null) return { field: equal.before, value: unquote(equal.after) };
  const into = ofField(words, /\s(?:into|in)\s/u) ?? ofField(words, /\sinto\s/u, isPlainTextTarget);
  if (into !== null) return { field: into.after, value: unquote(into.before) };
  const other = splitAtMatch(words, /\s(?:with|to|as)\s|:\s/u);
  if (other !== null && other.after !== '') return { field: other.before, value: unquote(other.after) };
  const [, field, value] = LEADING_TARGET.exec(words) ?? /^("[^"]*")\s+(".*")$/su.exec(words) ?? [];
  return field === undefined || value === undefined ? null : { field, value: unquote(value) };
}
