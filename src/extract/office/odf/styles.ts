import { childOf, childrenOf, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { numberAs } from '#extract/office/number-words.ts';

/** Formatting that changes the meaning of a text. */
export type TextLook = { tags: readonly string[]; isHidden: boolean };

export type ListLevel = {
  isNumber: boolean;
  format: string;
  prefix: string;
  suffix: string;
  /** Levels that the number shows, its own included. */
  levels: number;
  /** `%1%.%2%.`, which newer programs write. */
  pattern: string | undefined;
  start: number;
};

type Levels = readonly (ListLevel | undefined)[];

const PARENTS_MAX = 10;
const NO_LOOK: TextLook = { tags: [], isHidden: false };

/** The styles of an OpenDocument file, with names as they are usually written (`style:style`). */
export class OdfStyles {
  readonly #styles = new Map<string, XmlElement>();
  readonly #lists = new Map<string, Levels>();
  readonly #looks = new Map<string, TextLook>();
  readonly outline: Levels;

  constructor(documents: readonly XmlElement[]) {
    let outline: Levels = [];
    for (const document of documents) {
      for (const style of descendantsOf(document, 'style:style')) {
        this.#styles.set(`${style.attributes['style:family']} ${style.attributes['style:name']}`, style);
      }
      for (const list of descendantsOf(document, 'text:list-style')) {
        this.#lists.set(list.attributes['style:name'] ?? '', levelsOf(list));
      }
      for (const found of descendantsOf(document, 'text:outline-style')) outline = levelsOf(found);
    }
    this.outline = outline;
  }

  list(name: string): Levels {
    return this.#lists.get(name) ?? [];
  }

  /** The list that a paragraph style belongs to. */
  listOfParagraph(name: string): string {
    return this.#styles.get(`paragraph ${name}`)?.attributes['style:list-style-name'] ?? '';
  }

  text(family: 'text' | 'paragraph', name: string | undefined): TextLook {
    if (name === undefined) return NO_LOOK;
    const key = `${family} ${name}`;
    const known = this.#looks.get(key) ?? lookOf(this.#inherited(family, name, 'style:text-properties'), family);
    this.#looks.set(key, known);
    return known;
  }

  /** A property of a table, row, column or slide. */
  property(family: string, name: string | undefined, element: string, attribute: string): string | undefined {
    return this.#inherited(family, name ?? '', element).get(attribute);
  }

  #inherited(family: string, name: string, element: string): Map<string, string> {
    const properties = new Map<string, string>();
    let next: string | undefined = name;
    for (let step = 0; next !== undefined && step < PARENTS_MAX; step += 1) {
      const style: XmlElement | undefined = this.#styles.get(`${family} ${next}`);
      for (const [key, value] of Object.entries(childOf(style, element)?.attributes ?? {}))
        if (!properties.has(key)) properties.set(key, value);
      next = style?.attributes['style:parent-style-name'];
    }
    return properties;
  }
}

function lookOf(properties: ReadonlyMap<string, string>, family: 'text' | 'paragraph'): TextLook {
  const isHidden = properties.get('text:display') === 'none';
  // A paragraph of bold text is a look of its own; only words that differ from their paragraph are marked.
  if (family === 'paragraph') return { tags: [], isHidden };
  const tags: string[] = [];
  if (/^(?:bold|[6-9]00)$/.test(properties.get('fo:font-weight') ?? '')) tags.push('strong');
  if (/^(?:italic|oblique)$/.test(properties.get('fo:font-style') ?? '')) tags.push('em');
  const struck = properties.get('style:text-line-through-style') ?? properties.get('style:text-line-through-type');
  if (struck !== undefined && struck !== 'none') tags.push('s');
  const position = properties.get('style:text-position')?.trim() ?? '';
  if (/^(?:super|[1-9]\d*%)/.test(position)) tags.push('sup');
  if (/^(?:sub|-\d+%)/.test(position)) tags.push('sub');
  return { tags, isHidden };
}

const LEVELS_MAX = 10;

function levelsOf(list: XmlElement): Levels {
  const levels: (ListLevel | undefined)[] = [];
  const names = [
    'text:list-level-style-number',
    'text:list-level-style-bullet',
    'text:list-level-style-image',
  ] as const;
  for (const level of childrenOf(list, ...names, 'text:outline-level-style')) {
    const at = Number(level.attributes['text:level']) - 1;
    if (!(at >= 0 && at < LEVELS_MAX)) continue;
    const { attributes } = level;
    levels[at] = {
      isNumber: level.name === names[0] || level.name === 'text:outline-level-style',
      format: attributes['style:num-format'] ?? '',
      prefix: attributes['style:num-prefix'] ?? '',
      suffix: attributes['style:num-suffix'] ?? '',
      levels: Math.trunc(Number(attributes['text:display-levels'] ?? 1)) || 1,
      pattern: attributes['style:num-list-format'] ?? attributes['loext:num-list-format'],
      start: Math.trunc(Number(attributes['text:start-value'] ?? 1)) || 0,
    };
  }
  return levels;
}

/** The number of an item as it is printed. `counts` has a number for each level down to `at`. */
export function printedNumber(levels: Levels, at: number, counts: readonly (number | undefined)[]): string {
  const level = levels[at];
  if (level === undefined || !level.isNumber || (level.format === '' && level.pattern === undefined)) return '';
  const numberAt = (index: number) => {
    const other = levels[index];
    const format = other?.format ?? '1';
    return format === '' ? '' : numberAs(format, counts[index] ?? other?.start ?? 1);
  };
  if (level.pattern !== undefined)
    return level.pattern.replace(/%(\d{1,2})%/g, (_, digit: string) => numberAt(Number(digit) - 1));
  const shown: string[] = [];
  for (let index = Math.max(0, at - level.levels + 1); index <= at; index += 1) shown.push(numberAt(index));
  return `${level.prefix}${shown.filter((part) => part !== '').join('.')}${level.suffix}`;
}
