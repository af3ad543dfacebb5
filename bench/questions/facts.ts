import { parseDocument } from 'htmlparser2';
import { answerOf, contentOf, isElement, leadText, textOf } from './page-text.ts';
import type { PageElement } from './page-text.ts';

export const KINDS = [
  'definition',
  'cell',
  'code',
  'number',
  'default',
  'item',
  'note',
  'caption',
  'footnote',
  'place',
] as const;
export type Kind = (typeof KINDS)[number];

/** A statement of a page, from its HTML alone. */
export type Fact = {
  kind: Kind;
  /** The term or heading above it, whose name is unique on the page. */
  about: string;
  /** Words of the page for the question; empty if the question names only the term. */
  cue: string;
  /** Text that answers. */
  answer: string;
  /** The nearest name before it to which a link can lead. */
  anchor: string | null;
};

const HEADING = /^h[1-6]$/;
const NOTE = /\b(?:admonition|note|warning|tip|caution|important|notice|remark)\b/;
const FOOTNOTE = /\bfootnote\b(?!-)/;
const DEFAULT = /\bdefaults?\b|par défaut|Standard(?:wert|mäßig)|Voreinstellung|デフォルト|既定|默认|缺省/i;
const ABOUT_CHARS_MAX = 120;
const CUE_WORDS = 4;
const CUE_CHARS_MAX = 60;
const CODE_CHARS_MIN = 12;

/** All facts of a page that a question can be made of. */
export function factsOf(html: string): Fact[] {
  const elements = contentOf(parseDocument(html, { decodeEntities: true }));
  const names = namesIn(elements);
  const found: Fact[] = [];
  let heading = '';
  let anchor: string | null = null;
  for (const [index, element] of elements.entries()) {
    anchor = element.attribs['id'] ?? (element.name === 'a' ? element.attribs['name'] : undefined) ?? anchor;
    if (HEADING.test(element.name)) heading = textOf(element);
    for (const made of factsAt(element, heading, elements[index + 1])) {
      const about = made.about.trim();
      const isAsked = about !== '' && about.length <= ABOUT_CHARS_MAX && names.get(about) === 1;
      if (isAsked && answerOf(made.answer) !== null) found.push({ ...made, about, anchor });
    }
  }
  return found;
}

/** The number of occurrences of each heading and term on the page. */
function namesIn(elements: readonly PageElement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const element of elements) {
    const isName = HEADING.test(element.name) || element.name === 'dt' || isRowName(element);
    if (!isName) continue;
    const name = textOf(element).trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function isRowName(element: PageElement): boolean {
  return /^t[dh]$/.test(element.name) && cellsOf(element.parent)[0] === element;
}

function cellsOf(row: PageElement['parent']): PageElement[] {
  return row === null ? [] : row.children.filter(isElement).filter(({ name }) => /^t[dh]$/.test(name));
}

type Made = Omit<Fact, 'anchor'>;

function factsAt(element: PageElement, heading: string, next: PageElement | undefined): Made[] {
  const { name } = element;
  const className = `${element.attribs['class'] ?? ''} ${element.attribs['role'] ?? ''}`;
  if (name === 'dt') return definitionAt(element);
  if (name === 'tr') return cellAt(element);
  if (name === 'pre') return codeAt(element, heading);
  if (name === 'p' || name === 'li') return sentencesAt(element, heading);
  if (name === 'caption' || name === 'figcaption') return [shortFact('caption', heading, textOf(element))];
  if (HEADING.test(name) && element.attribs['id'] !== undefined && next?.name === 'p') {
    return [{ kind: 'place', about: heading, cue: '', answer: leadText(next) }];
  }
  if (FOOTNOTE.test(className)) return [shortFact('footnote', heading, leadText(element))];
  if (NOTE.test(className)) return noteAt(element, heading);
  return [];
}

/** Several terms may share a definition. */
function definitionAt(term: PageElement): Made[] {
  const siblings = (term.parent?.children ?? []).filter(isElement);
  const next = siblings.slice(siblings.indexOf(term)).find(({ name }) => name !== 'dt');
  if (next?.name !== 'dd') return [];
  return [{ kind: 'definition', about: textOf(term), cue: '', answer: leadText(next) }];
}

/** Only for data tables, not for layout tables. */
function cellAt(row: PageElement): Made[] {
  const cells = cellsOf(row);
  const [first, ...others] = cells;
  if (first === undefined || cells.some(isFrame)) return [];
  return others.map((cell) => ({ kind: 'cell', about: textOf(first), cue: '', answer: leadText(cell) }));
}

function isFrame(cell: PageElement): boolean {
  return contentOf(cell).some(({ name }) => name === 'table' || /^h[1-6]$/.test(name));
}

function codeAt(pre: PageElement, heading: string): Made[] {
  const lines = textOf(pre, true)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= CODE_CHARS_MIN);
  const line = lines[Math.floor(lines.length / 2)];
  const names = (line?.match(/[\p{L}_][\p{L}\p{N}_]+/gu) ?? []).toSorted((a, b) => b.length - a.length);
  return line === undefined ? [] : [{ kind: 'code', about: heading, cue: names[0] ?? '', answer: line }];
}

function sentencesAt(element: PageElement, heading: string): Made[] {
  const text = leadText(element);
  if (element.name === 'li') return [shortFact('item', heading, text)];
  const sentences = text.match(/[^.!?。]+[.!?。]+/gu) ?? [];
  const byDefault = sentences.find((sentence) => DEFAULT.test(sentence));
  const withNumber = sentences.find((sentence) => /(?<![\w.])\d+(?![\w.]*\d)/.test(sentence));
  return [
    ...(byDefault === undefined ? [] : [shortFact('default', heading, byDefault)]),
    ...(withNumber === undefined ? [] : [shortFact('number', heading, withNumber)]),
  ];
}

function noteAt(box: PageElement, heading: string): Made[] {
  const paragraph = contentOf(box).find(({ name, attribs }) => name === 'p' && !/title/.test(attribs['class'] ?? ''));
  return paragraph === undefined ? [] : [shortFact('note', heading, leadText(paragraph))];
}

/** Takes the first words for the question. */
function shortFact(kind: Kind, about: string, text: string): Made {
  const cue = text.trim().split(/\s+/).slice(0, CUE_WORDS).join(' ').slice(0, CUE_CHARS_MAX);
  return { kind, about, cue, answer: text };
}
