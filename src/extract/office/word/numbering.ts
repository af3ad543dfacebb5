import { firstNamedChild, namedChildren, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { formatListNumber } from '#extract/office/number-words.ts';

/** The number of a paragraph as Word prints it (ECMA-376 part 1 §17.9). */
type Label = {
  level: number;
  /** The number, if Markdown prints it in the same way, as `3.`; otherwise `null`. */
  number: number | null;
  /**
   * The printed text with a space if the format has one, as in `§ 3 `; empty for a bullet, a space if nothing is
   * printed.
   */
  text: string;
};

type Level = {
  start: number;
  format: string;
  text: string;
  suffix: string;
  isLegal: boolean;
  /** Deepest level whose items restart the count; 0 for none. `null`, the default, means all higher levels. */
  restart: number | null;
  style: string | undefined;
};
type List = { levels: readonly (Level | undefined)[]; link: string | undefined };
type Use = { list: string; starts: ReadonlyMap<number, number>; levels: ReadonlyMap<number, Level> };

export type ParagraphStyle = {
  num: string | undefined;
  level: string | undefined;
  isHeading: boolean;
  isHidden: boolean;
  /** Vertical alignment of the style's text: `superscript`, `subscript` or `baseline`. */
  script: string | undefined;
};

const LEVELS_MAX = 9;
/** Maximum characters of the text around a printed number, such as "Article", because each item repeats it. */
const TEXT_CHARS_MAX = 60;
const PLAIN_NUMBER = /^%\d[.)]$/;

/** Counts the numbered paragraphs of a Word document, which must be passed in order. */
export class WordNumbering {
  readonly #lists = new Map<string, List>();
  readonly #uses = new Map<string, Use>();
  readonly #styleLists = new Map<string, string>();
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #started = new Set<string>();
  readonly #styles: ReadonlyMap<string, ParagraphStyle>;

  /** @param numbering the part of the file with numberings, parsed with local names */
  constructor(numbering: XmlElement | undefined, styles: ReadonlyMap<string, ParagraphStyle>) {
    this.#styles = styles;
    for (const list of descendantsOf(numbering, 'abstractNum')) {
      const id = list.attributes['w:abstractNumId'] ?? '';
      this.#lists.set(id, { levels: levelsOf(list), link: valueOf(list, 'numStyleLink') });
      const link = valueOf(list, 'styleLink');
      if (link !== undefined) this.#styleLists.set(link, id);
    }
    for (const use of descendantsOf(numbering, 'num')) {
      const starts = new Map<number, number>();
      const levels = new Map<number, Level>();
      for (const override of namedChildren(use, 'lvlOverride')) {
        const at = Number(override.attributes['w:ilvl'] ?? 0);
        const start = valueOf(override, 'startOverride');
        if (start !== undefined) starts.set(at, Number(start) || 0);
        const own = levelsOf(override)[at];
        if (own !== undefined) levels.set(at, own);
      }
      const list = valueOf(use, 'abstractNumId') ?? '';
      this.#uses.set(use.attributes['w:numId'] ?? '', { list, starts, levels });
    }
  }

  /** Counts a paragraph and returns its number; `null` if it has none. */
  next(paragraph: { style: string | undefined; num: string | undefined; level: string | undefined }): Label | null {
    const style = this.#styles.get(paragraph.style ?? '');
    const id = paragraph.num ?? style?.num ?? '';
    const use = this.#uses.get(id);
    if (use === undefined) return null;
    const { key, list } = this.#listOf(use.list);
    const byStyle = list?.levels.findIndex((level) => level?.style !== undefined && level.style === paragraph.style);
    const given = paragraph.level ?? style?.level ?? (byStyle === undefined || byStyle < 0 ? 0 : byStyle);
    const at = Math.min(LEVELS_MAX - 1, Math.max(0, Math.trunc(Number(given)) || 0));
    const levels = Array.from({ length: LEVELS_MAX }, (_, index) => use.levels.get(index) ?? list?.levels[index]);
    const level = levels[at];
    if (level === undefined) return null;
    const counts = this.#counts.get(key) ?? [];
    this.#counts.set(key, counts);
    const start = use.starts.get(at);
    const isFirst = start !== undefined && !this.#started.has(`${id} ${at}`);
    this.#started.add(`${id} ${at}`);
    const before = isFirst ? undefined : counts[at];
    counts[at] = before === undefined ? (start ?? level.start) : before + 1;
    for (let below = at + 1; below < LEVELS_MAX; below += 1) {
      const restart = levels[below]?.restart ?? null;
      if (restart === null || (restart > 0 && at < restart)) counts[below] = undefined;
    }
    return labelOf(levels, at, counts);
  }

  /** Returns the list with this id, or the one of the list style to which it refers. */
  #listOf(id: string): { key: string; list: List | undefined } {
    const list = this.#lists.get(id);
    const linked = list?.link === undefined ? undefined : this.#styleLists.get(list.link);
    return linked === undefined ? { key: id, list } : { key: linked, list: this.#lists.get(linked) };
  }
}

function labelOf(levels: readonly (Level | undefined)[], at: number, counts: readonly (number | undefined)[]): Label {
  const level = levels[at];
  const format = level?.format ?? 'bullet';
  if (level === undefined || format === 'bullet') return { level: at, number: null, text: '' };
  const count = counts[at] ?? level.start;
  const printed = level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    const other = levels[index];
    const value = counts[index] ?? other?.start ?? 1;
    return formatListNumber(level.isLegal ? 'decimal' : (other?.format ?? 'decimal'), value);
  });
  const isPlain = format === 'decimal' && PLAIN_NUMBER.test(level.text) && count >= 0;
  const text = printed === '' || level.suffix === 'nothing' ? printed : `${printed} `;
  return { level: at, number: isPlain ? count : null, text: text === '' ? ' ' : text };
}

function levelsOf(list: XmlElement): (Level | undefined)[] {
  const levels: (Level | undefined)[] = [];
  for (const level of namedChildren(list, 'lvl')) {
    const at = Number(level.attributes['w:ilvl']);
    if (!(at >= 0 && at < LEVELS_MAX)) continue;
    const format = valueOf(level, 'numFmt') ?? 'decimal';
    const legal = firstNamedChild(level, 'isLgl');
    const restart = valueOf(level, 'lvlRestart');
    levels[at] = {
      start: Math.trunc(Number(valueOf(level, 'start') ?? 1)) || 0,
      format,
      text: format === 'none' ? '' : textIn(valueOf(level, 'lvlText') ?? `%${at + 1}.`),
      suffix: valueOf(level, 'suff') ?? 'tab',
      isLegal: legal !== undefined && isWordFlagSet(legal),
      restart: restart === undefined ? null : Number(restart) || 0,
      style: valueOf(level, 'pStyle'),
    };
  }
  return levels;
}

function textIn(written: string): string {
  return written.slice(0, TEXT_CHARS_MAX).toWellFormed();
}

export function paragraphStyles(styles: XmlElement | undefined): Map<string, ParagraphStyle> {
  const written = new Map<string, WrittenStyle>();
  for (const style of descendantsOf(styles, 'style'))
    written.set(style.attributes['w:styleId'] ?? '', writtenIn(style));
  const read = new Map<string, ParagraphStyle>();
  for (const id of written.keys()) read.set(id, inherited(id, written));
  return read;
}

type WrittenStyle = {
  name: string | undefined;
  num: string | undefined;
  level: string | undefined;
  script: string | undefined;
  isHidden: boolean | undefined;
  basedOn: string | undefined;
};

function writtenIn(style: XmlElement): WrittenStyle {
  const numbering = firstNamedChild(firstNamedChild(style, 'pPr'), 'numPr');
  const run = firstNamedChild(style, 'rPr');
  const vanish = firstNamedChild(run, 'vanish');
  return {
    name: valueOf(style, 'name'),
    num: valueOf(numbering, 'numId'),
    level: valueOf(numbering, 'ilvl'),
    script: valueOf(run, 'vertAlign'),
    isHidden: vanish === undefined ? undefined : isWordFlagSet(vanish),
    basedOn: valueOf(style, 'basedOn'),
  };
}

const ANCESTORS_MAX = 12;

function inherited(id: string, written: ReadonlyMap<string, WrittenStyle>): ParagraphStyle {
  const line: WrittenStyle[] = [];
  let next = written.get(id);
  for (let step = 0; next !== undefined && step < ANCESTORS_MAX; step += 1) {
    line.push(next);
    next = next.basedOn === undefined ? undefined : written.get(next.basedOn);
  }
  const first = <K extends keyof WrittenStyle>(key: K) => line.find((style) => style[key] !== undefined)?.[key];
  return {
    num: first('num'),
    level: first('level'),
    isHeading: /^(?:heading [1-9]|title)$/i.test(line[0]?.name ?? ''),
    isHidden: first('isHidden') ?? false,
    script: first('script'),
  };
}

/** True for a boolean property unless it is switched off, as `<w:vanish w:val="0"/>` is. */
export function isWordFlagSet({ attributes }: XmlElement): boolean {
  return !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '');
}

function valueOf(element: XmlElement | undefined, name: string): string | undefined {
  return firstNamedChild(element, name)?.attributes['w:val'];
}
