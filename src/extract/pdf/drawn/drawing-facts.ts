/** A content stream: text, form, or glyphs. */
type Drawn = { object: number; isForm: boolean; bytes: number; forms: number; states: number; mayHide: boolean };

/** Operators that a page may have before its list of operators is not asked for. A page of text has 300 to 1,000. */
const OPERATORS_MAX = 150_000;
/** The shortest operator, with its line end. */
const OPERATOR_BYTES = 4;
/** Forms that draw forms: more of them could multiply. */
const NESTED_MAX = 8;
/** Text in white, in the colour of paper without ink, or invisible: a first look that costs little. */
const LIGHT =
  /(?:^|\s)(?:(?:(?:1|1\.0*|0?\.9[5-9]\d*)\s+){1,3}(?:g|rg|scn?)|(?:0(?:\.0*)?\s+){4}(?:k|scn?)|[37]\s+Tr)(?=\s)/;
/** Strings, states, colours and text, in their order. A string without an end matches too, so that it is read once. */
const TOKENS =
  /\((?:[^()\\]|\\[^])*\)?|(?:^|[\s\])>])(?:((?:-?[\d.]+\s+){1,4})(g|rg|k|scn?)|(q)|(Q)|(\d)\s+Tr)(?=\s|$)|(T[jJ])(?=\s|$)/g;
const FORMS = /\sDo(?=\s)/g;
const STATES = /\sgs(?=\s)/g;
const CONTENTS = /\/Contents\s*(?:(\d{1,9})\s+\d+\s+R|\[([\d\sR]{0,4000})\])/g;
const OBJECT = /(\d{1,9})\s+\d{1,5}\s+obj\b/g;

/** Facts about what the pages of a file draw, from its unpacked streams: a first look for text that nobody can see. */
export class DrawingFacts {
  /** Nothing is known of streams that are encrypted. */
  isEncrypted = false;
  private readonly drawn: Drawn[] = [];
  /** Objects of pages → their content streams. */
  private readonly contents = new Map<number, number[]>();
  /** Content streams with text that may be hidden. */
  private light = new Set<number>();
  /** Some of them are in forms, which any page may draw. */
  private isElsewhere = false;
  private hasMasks = false;
  private listable: boolean | null = null;

  addDrawn(object: number, dictionary: string, content: string): void {
    this.drawn.push({
      object,
      isForm: /\/Subtype\s*\/Form\b|\/PatternType\b/.test(dictionary),
      bytes: content.length,
      forms: countOf(content, 'Do', FORMS),
      states: countOf(content, 'gs', STATES),
      mayHide: LIGHT.test(content) && showsLightText(content),
    });
  }

  /** `text`: the unpacked objects of an object stream. */
  addObjects(dictionary: string, text: string): void {
    this.hasMasks ||= hasMask(text);
    if (!text.includes('/Contents')) return;
    const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
    const header = text.slice(0, first).trim().split(/\s+/).map(Number);
    const objects = header.flatMap((number, at) =>
      at % 2 === 0 ? [{ number, start: first + (header[at + 1] ?? 0) }] : [],
    );
    let at = 0;
    for (const match of text.matchAll(CONTENTS)) {
      while (at + 1 < objects.length && (objects[at + 1]?.start ?? Infinity) <= match.index) at += 1;
      this.contents.set(objects[at]?.number ?? -1, idsOf(match));
    }
  }

  /** `source`: the whole file. Pages outside of object streams are found in it, if that matters. */
  finish(source: string): void {
    this.hasMasks ||= hasMask(source);
    this.light = new Set(this.drawn.filter(({ mayHide }) => mayHide).map(({ object }) => object));
    if (this.light.size === 0) return;
    const starts = [...source.matchAll(OBJECT)].map((match) => ({ number: Number(match[1]), start: match.index }));
    let at = -1;
    for (const match of source.matchAll(CONTENTS)) {
      while (at + 1 < starts.length && (starts[at + 1]?.start ?? Infinity) <= match.index) at += 1;
      if (at >= 0) this.contents.set(starts[at]?.number ?? -1, idsOf(match));
    }
    const ofPages = new Set([...this.contents.values()].flat());
    this.isElsewhere = [...this.light].some((object) => !ofPages.has(object));
  }

  /** True if a page may show text in the colour of its paper. `page` is the number of its object. */
  mayHide(page: number): boolean {
    if (this.isEncrypted || this.isElsewhere) return true;
    if (this.light.size === 0) return false;
    return this.contents.get(page)?.some((object) => this.light.has(object)) !== false;
  }

  /** True if the operators of each page are few enough to be listed, however its forms are nested. */
  get isListable(): boolean {
    this.listable ??= this.countBytes() <= OPERATORS_MAX * OPERATOR_BYTES;
    return this.listable;
  }

  /** The most that one page can draw. */
  private countBytes(): number {
    const callsOf = ({ forms, states }: Drawn) => forms + (this.hasMasks ? states : 0);
    const forms = this.drawn.filter(({ isForm }) => isForm);
    const nested = forms.reduce((sum, form) => sum + callsOf(form), 0);
    if (nested > NESTED_MAX) return Infinity;
    const largest = forms.reduce((most, { bytes }) => Math.max(most, bytes), 0);
    // Three forms in each is the worst way to share so many calls.
    const times = 3 ** (nested / 3);
    const pages = this.drawn.filter(({ isForm }) => !isForm);
    return pages.reduce((most, one) => Math.max(most, one.bytes + callsOf(one) * times * largest), 0);
  }
}

/** `operator` is looked for first, because that takes less time. */
function countOf(content: string, operator: string, pattern: RegExp): number {
  return content.includes(operator) ? (content.match(pattern)?.length ?? 0) : 0;
}

/** A state with a mask draws the form of the mask. */
function hasMask(source: string): boolean {
  return source.includes('/Luminosity') || source.includes('/Alpha');
}

function idsOf(match: RegExpMatchArray): number[] {
  if (match[1] !== undefined) return [Number(match[1])];
  const words = (match[2] ?? '').replaceAll('R', ' R ').trim().split(/\s+/);
  return words.flatMap((word, at) => (words[at + 2] === 'R' ? [Number(word)] : []));
}

/** Follows colours through the saved states of a stream. */
function showsLightText(content: string): boolean {
  let state = { light: false, invisible: false };
  const saved: (typeof state)[] = [];
  for (const [, numbers, color, save, restore, mode, show] of content.matchAll(TOKENS)) {
    if (color !== undefined) state = { ...state, light: isLight(numbers ?? '', color) };
    else if (save !== undefined) saved.push(state);
    else if (restore !== undefined) state = saved.pop() ?? { light: false, invisible: false };
    else if (mode !== undefined) state = { ...state, invisible: mode === '3' || mode === '7' };
    else if (show !== undefined && (state.light || state.invisible)) return true;
  }
  return false;
}

const LIGHT_MIN = 0.95;

function isLight(numbers: string, operator: string): boolean {
  const values = numbers.trim().split(/\s+/).map(Number);
  const isInk = operator === 'k' || (operator !== 'rg' && values.length === 4);
  return isInk ? values.every((value) => value <= 1 - LIGHT_MIN) : values.every((value) => value >= LIGHT_MIN);
}
