import type { XmlElement } from '#extract/xml/tree.ts';
import { printedNumber } from './styles.ts';
import type { OdfStyles } from './styles.ts';

type Counts = (number | undefined)[];
type Open = { style: string; counts: Counts; level: number };
/**
 * The number of a list item. `label` is the printed text with a trailing space. `number` is set only if Markdown prints
 * the number in the same way.
 */
type ItemNumber = { label: string; number: number | null; isBullet: boolean };

const PLAIN_NUMBER = /^\d{1,9}[.)]$/;

/** Counts the list items and headings of an OpenDocument file. They must be passed in document order. */
export class ListNumbers {
  readonly #styles: OdfStyles;
  readonly #open: Open[] = [];
  readonly #byStyle = new Map<string, Counts>();
  readonly #byId = new Map<string, Counts>();
  readonly #headings: Counts = [];

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  /**
   * Begins a list.
   * @returns a function that must be called at the end of the list
   */
  open(list: XmlElement): () => void {
    const outer = this.#open.at(-1);
    const style = list.attributes['text:style-name'] || (outer?.style ?? '');
    const level = outer === undefined ? 0 : outer.level + 1;
    const goesOn = list.attributes['text:continue-numbering'] === 'true';
    const id = list.attributes['text:continue-list'];
    const before = id === undefined ? (goesOn ? this.#byStyle.get(style) : undefined) : this.#byId.get(id);
    const counts = outer?.counts ?? before ?? [];
    if (outer !== undefined && !goesOn) counts[level] = undefined;
    this.#open.push({ style, counts, level });
    return () => {
      this.#open.pop();
      this.#byStyle.set(style, counts);
      const own = list.attributes['xml:id'];
      if (own !== undefined) this.#byId.set(own, counts);
    };
  }

  next(item: XmlElement): ItemNumber {
    const list = this.#open.at(-1);
    const levels = this.#styles.list(list?.style ?? '');
    const level = levels[list?.level ?? 0];
    if (list === undefined || level === undefined || !level.isNumber || item.name === 'text:list-header')
      return { label: '', number: null, isBullet: true };
    const given = Number(item.attributes['text:start-value'] ?? Number.NaN);
    const before = list.counts[list.level];
    list.counts[list.level] = Number.isInteger(given) ? given : before === undefined ? level.start : before + 1;
    list.counts.length = list.level + 1;
    const printed = printedNumber(levels, list.level, list.counts);
    const count = list.counts[list.level] ?? 0;
    if (level.format === '1' && PLAIN_NUMBER.test(printed)) return { label: '', number: count, isBullet: false };
    return { label: printed === '' ? '' : `${printed} `, number: null, isBullet: false };
  }

  /** Returns the printed number of a heading outside a list, with a trailing space. */
  heading(heading: XmlElement, at: number): string {
    const level = this.#styles.outline[at];
    if (level === undefined || heading.attributes['text:is-list-header'] === 'true') return '';
    this.#headings[at] = (this.#headings[at] ?? level.start - 1) + 1;
    this.#headings.length = at + 1;
    const printed = printedNumber(this.#styles.outline, at, this.#headings);
    return printed === '' ? '' : `${printed} `;
  }
}
