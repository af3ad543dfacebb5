import { percentDecode } from '#core/text/text.ts';
import { isBlank } from '#core/text/blank.ts';
import { classOf, elementsInside, isText, nearestByTag } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

const LINKS = new Set(['a']);
const REFERENCE_CLASS = /(?:^|\s)footnote-ref(?:erence)?(?:\s|$)/;
const BACK_REFERENCE = /^(?:#(?:fnref|cite_ref|footnote-ref|user-content-fnref|ref-?\d|_ftnref|id\d)|#$)/i;
const ARROW = /^[\u21a9\u2191\u21b5][\ufe0e\ufe0f]?$/u;
const BACK_CLASS = /(?:^|\s)(?:footnote-back(?:ref|link)?|reversefootnote|mw-cite-backlink|fn-backref)(?:\s|$)/;
const AROUND_NOTE = /(?:^|\s)(?:mw-cite-backlink|fn-bracket|footnote-backrefs?)(?:\s|$)/;
const NOTE_ID = /^(?:fn|footnote|note|cite_note|user-content-fn|_ftn|endnote|en)[-_:.\w]*/i;
const NOTE_REFERENCES: ReadonlySet<string> = new Set(['noteref']);
const NOTES: ReadonlySet<string> = new Set(['footnote', 'endnote', 'rearnote', 'note']);
/** Maximum footnote references that are looked up per page. Further references stay ordinary links. */
const NOTES_MAX = 5_000;

/** Pairs references, such as a raised 1, with their notes. Those without a partner stay ordinary links and lists. */
export class Footnotes {
  private readonly labels = new Map<DomElement, string>();
  private readonly references = new Map<DomElement, string>();
  private readonly skip: ReadonlySet<DomNode>;
  /**
   * For each note, caches whether any of its text is in the part that is written. Many references may lead to one note.
   */
  private readonly inMainPart = new Map<DomElement, boolean>();

  /** @param root element in which references and notes are paired; `null` to write all as ordinary links and lists */
  constructor(root: DomElement | null, skip: ReadonlySet<DomNode>) {
    this.skip = skip;
    if (root === null) return;
    const links = referencesIn(root);
    if (links.length === 0) return;
    const targets = new Map<string, DomElement>();
    for (const element of root.querySelectorAll(
      'li[id], [role="doc-footnote"][id], [role="doc-endnote"][id], aside[id], p[id], div[id], dt[id]',
    )) {
      const id = element.getAttribute('id') ?? '';
      if (!targets.has(id)) targets.set(id, element);
    }
    const taken = new Map<string, DomElement>();
    for (const link of links) this.pair(link, targets, taken);
  }

  /** Returns the label of a footnote, as in `[^1]`, if `link` refers to one on this page. */
  reference(link: DomElement): string | null {
    return this.references.get(link) ?? null;
  }

  /** Returns the label of a footnote, as in `[^1]`, if `element` is the note. */
  note(element: DomElement): string | null {
    return this.labels.get(element) ?? null;
  }

  isEmpty(): boolean {
    return this.labels.size === 0;
  }

  private isTargetKept(target: DomElement): boolean {
    const known = this.inMainPart.get(target) ?? isKept(target, this.skip);
    this.inMainPart.set(target, known);
    return known;
  }

  private pair(link: DomElement, targets: ReadonlyMap<string, DomElement>, taken: Map<string, DomElement>): void {
    const href = link.getAttribute('href') ?? '';
    const id = percentDecode(href.slice(1));
    const target = targets.get(id);
    if (target === undefined || !isNote(target, id)) return;
    if (!this.isTargetKept(target) || !isKept(link, this.skip)) return;
    const known = this.labels.get(target);
    if (known !== undefined) {
      this.references.set(link, known);
      return;
    }
    const label = labelOf(link.textContent ?? '', taken.size + 1);
    if (label === '' || taken.has(label)) return;
    taken.set(label, target);
    this.labels.set(target, label);
    this.references.set(link, label);
  }
}

function referencesIn(root: DomElement): DomElement[] {
  const found: DomElement[] = [];
  for (const link of elementsInside(root, LINKS)) {
    if (found.length === NOTES_MAX) break;
    if (isReference(link)) found.push(link);
  }
  return found;
}

function isReference(link: DomElement): boolean {
  if (link.getAttribute('role') === 'doc-noteref' || link.hasAttribute('data-footnote-ref')) return true;
  if (REFERENCE_CLASS.test(classOf(link)) || hasBookType(link, NOTE_REFERENCES)) return true;
  if (link.getAttribute('href')?.startsWith('#') !== true) return false;
  let around = link.parentElement;
  while (around !== null && around.localName !== 'sup') around = around.parentElement;
  return around !== null;
}

export function isBackReference(link: DomElement): boolean {
  if (link.getAttribute('role') === 'doc-backlink' || link.hasAttribute('data-footnote-backref')) return true;
  if (BACK_CLASS.test(classOf(link))) return true;
  const href = link.getAttribute('href') ?? '';
  if (!href.startsWith('#')) return false;
  const text = (link.textContent ?? '').trim();
  return ARROW.test(text) || (BACK_REFERENCE.test(href) && /^(?:\^|back|return)$/i.test(text));
}

export function isBackReferenceWrapper(element: DomElement): boolean {
  const className = classOf(element);
  return className !== '' && AROUND_NOTE.test(className);
}

function isNote(element: DomElement, id: string): boolean {
  if (element.localName === 'li' || NOTE_ID.test(id)) return true;
  if (element.localName === 'dt') return /(?:^|\s)(?:footnote|citation)(?:\s|$)/.test(listClass(element));
  const role = element.getAttribute('role');
  return role === 'doc-footnote' || role === 'doc-endnote' || hasBookType(element, NOTES);
}

/** True if the `epub:type` attribute of an element contains one of `types`, such as `footnote`. */
function hasBookType(element: DomElement, types: ReadonlySet<string>): boolean {
  return (element.getAttribute('epub:type') ?? '').split(/\s+/).some((type) => types.has(type));
}

function listClass(term: DomElement): string {
  const list = nearestByTag('dl', term);
  return list === null ? '' : classOf(list);
}

function labelOf(text: string, fallback: number): string {
  const label = text.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 20);
  return label === '' ? String(fallback) : label;
}

/** True if any text inside the element is written, because it is not in `skip`. */
function isKept(element: DomElement, skip: ReadonlySet<DomNode>): boolean {
  let node: DomNode = element;
  for (;;) {
    if (isText(node) && !skip.has(node) && !isBlank(node.textContent ?? '')) return true;
    if (node.firstChild !== null && !skip.has(node)) {
      node = node.firstChild;
      continue;
    }
    while (node !== element && node.nextSibling === null && node.parentNode !== null) node = node.parentNode;
    if (node === element || node.nextSibling === null) return false;
    node = node.nextSibling;
  }
}
