import { namedChildren, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { formatListNumber } from '#extract/office/number-words.ts';

/** The effects of a style that change the meaning of a text: HTML tags, such as `s`, and hiding. */
type TextLook = { tags: readonly string[]; isHidden: boolean };

type ListLevel = {
  isNumber: boolean;
  format: string;
  prefix: string;
  suffix: string;
  /** Number of levels that the printed number of an item shows: 2 for `1.3`. */
  levels: number;
  /** Number format of newer programs, such as `%1%.%2%.`. It replaces the prefix and suffix. */
  pattern: string | undefined;
  start: number;
};

type Levels = readonly (ListLevel | undefined)[];

const PARENTS_MAX = 10;
const PROPERTIES: ReadonlySet<string> = new Set([
  'style:text-properties',
  'style:table-properties',
  'style:drawing-page-properties',
]);
const NO_LOOK: TextLook = { tags: [], isHidden: false };

/** A style of an OpenDocument file. `properties`: for each child element, by name, its attributes. */
type Style = { attributes: XmlElement['attributes']; properties: ReadonlyMap<string, XmlElement['attributes']> };

/** Returns an attribute of a style, or else of its nearest parent style that has it. */
type Property = (attribute: string) => string | undefined;

/** The styles of an OpenDocument file. Its elements must have the usual prefixes, as in `style:style`. */
export class OdfStyles {
  readonly #styles = new Map<string, Style>();
  readonly #lists = new Map<string, Levels>();
  readonly #looks = new Map<string, TextLook>();
  readonly outline: Levels;

  constructor(documents: readonly XmlElement[]) {
    let outline: Levels = [];
    for (const document of documents) {
      for (const style of descendantsOf(document, 'style:style')) {
        this.#styles.set(`${style.attributes['style:family']} ${style.attributes['style:name']}`, styleIn(style));
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

  text(family: 'text' | 'paragraph', name: string | undefined): TextLook {
    if (name === undefined) return NO_LOOK;
    const key = `${family} ${name}`;
    const known = this.#looks.get(key) ?? lookOf(this.#inherited(family, name, 'style:text-properties'), family);
    this.#looks.set(key, known);
    return known;
  }

  property(family: string, name: string | undefined, element: string, attribute: string): string | undefined {
    return this.#inherited(family, name ?? '', element)(attribute);
  }

  /**
   * Returns a function that finds an attribute of a style or its parents. Attributes are not merged into one object,
   * because a hostile style may have any number of them.
   */
  #inherited(family: string, name: string, element: string): Property {
    const line: XmlElement['attributes'][] = [];
    let next: string | undefined = name;
    for (let step = 0; next !== undefined && step < PARENTS_MAX; step += 1) {
      const style = this.#styles.get(`${family} ${next}`);
      const attributes = style?.properties.get(element);
      if (attributes !== undefined) line.push(attributes);
      next = style?.attributes['style:parent-style-name'];
    }
    return (attribute) => line.find((attributes) => attributes[attribute] !== undefined)?.[attribute];
  }
}

function styleIn({ attributes, children }: XmlElement): Style {
  const properties = new Map<string, XmlElement['attributes']>();
  for (const child of children) {
    if (typeof child !== 'string' && PROPERTIES.has(child.name) && !properties.has(child.name))
      properties.set(child.name, child.attributes);
  }
  return { attributes, properties };
}

function lookOf(property: Property, family: 'text' | 'paragraph'): TextLook {
  const isHidden = property('text:display') === 'none';
  // Bold or italic paragraphs get no marks. Only words that differ from their paragraph do.
  if (family === 'paragraph') return { tags: [], isHidden };
  const tags: string[] = [];
  if (/^(?:bold|[6-9]00)$/.test(property('fo:font-weight') ?? '')) tags.push('strong');
  if (/^(?:italic|oblique)$/.test(property('fo:font-style') ?? '')) tags.push('em');
  const struck = property('style:text-line-through-style') ?? property('style:text-line-through-type');
  if (struck !== undefined && struck !== 'none') tags.push('s');
  const position = property('style:text-position')?.trim() ?? '';
  if (/^(?:super|[1-9]\d*%)/.test(position)) tags.push('sup');
  if (/^(?:sub|-\d+%)/.test(position)) tags.push('sub');
  return { tags, isHidden };
}

const LEVELS_MAX = 10;
/** Maximum characters of the text around a printed number, such as "Section", because each item repeats it. */
const SIGNS_CHARS_MAX = 60;

function levelsOf(list: XmlElement): Levels {
  const levels: (ListLevel | undefined)[] = [];
  const names = [
    'text:list-level-style-number',
    'text:list-level-style-bullet',
    'text:list-level-style-image',
  ] as const;
  for (const level of namedChildren(list, ...names, 'text:outline-level-style')) {
    const at = Number(level.attributes['text:level']) - 1;
    if (!(at >= 0 && at < LEVELS_MAX)) continue;
    const { attributes } = level;
    levels[at] = {
      isNumber: level.name === names[0] || level.name === 'text:outline-level-style',
      format: attributes['style:num-format'] ?? '',
      prefix: signs(attributes['style:num-prefix']),
      suffix: signs(attributes['style:num-suffix']),
      levels: Math.trunc(Number(attributes['text:display-levels'] ?? 1)) || 1,
      pattern: (attributes['style:num-list-format'] ?? attributes['loext:num-list-format'])?.slice(0, SIGNS_CHARS_MAX),
      start: Math.trunc(Number(attributes['text:start-value'] ?? 1)) || 0,
    };
  }
  return levels;
}

function signs(written = ''): string {
  return written.slice(0, SIGNS_CHARS_MAX).toWellFormed();
}

/**
 * Returns the number of an item as printed, such as `2.1`; an empty string for a bullet. @param counts current number
 * of each level down to `at`
 */
export function formatItemNumber(levels: Levels, at: number, counts: readonly (number | undefined)[]): string {
  const level = levels[at];
  if (level === undefined || !level.isNumber || (level.format === '' && level.pattern === undefined)) return '';
  const numberAt = (index: number) => {
    const other = levels[index];
    const format = other?.format ?? '1';
    return format === '' ? '' : formatListNumber(format, counts[index] ?? other?.start ?? 1);
  };
  if (level.pattern !== undefined)
    return level.pattern.replace(/%(\d{1,2})%/g, (_, digit: string) => numberAt(Number(digit) - 1));
  const shown: string[] = [];
  for (let index = Math.max(0, at - level.levels + 1); index <= at; index += 1) shown.push(numberAt(index));
  return `${level.prefix}${shown.filter((part) => part !== '').join('.')}${level.suffix}`;
}
