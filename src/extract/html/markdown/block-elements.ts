import type { DomElement } from '#extract/html/dom.ts';
import { openLink } from './inline-elements.ts';
import type { Entered, List, Writing } from './writing.ts';

const ADMONITION =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|theme-admonition\S*|callout|alert|alert-\w+|admonitionblock|notice|note|tip|warning|hint)(?:\s|$)/;
const ADMONITION_TITLE =
  /(?:^|\s)(?:admonition-title|markdown-alert-title|custom-block-title|callout-title|admonition-heading)(?:\s|$)|admonitionHeading/;

export function enterHeading(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  if (writing.isLine()) return () => writing.breakBlock();
  const level = Number(element.localName.charAt(1));
  writing.startLine('space');
  const around = element.closest('a[href]');
  const link = around === null ? null : openLink(around.getAttribute('href') ?? '', writing);
  return () => {
    if (link !== null) writing.closeMark(link);
    const text = writing.endLine().replace(/(#+)$/, '\\$1');
    if (text !== '') writing.blocks.write([`${'#'.repeat(level)} ${text}`]);
  };
}

export function enterBlock(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  const name = element.localName;
  if (name === 'hr') {
    if (!writing.isLine()) writing.blocks.write(['* * *']);
    return 'skip';
  }
  const label = writing.footnotes.note(element);
  if (label !== null && !writing.isLine()) return enterNote(label, writing);
  if (writing.isLine()) return () => writing.breakBlock();
  if (name === 'summary' || isAdmonitionTitle(element)) return enterBold(writing);
  if (name === 'blockquote' || isAdmonition(element)) {
    writing.blocks.push('> ', '> ', false);
    return () => {
      writing.breakBlock();
      writing.blocks.pop();
    };
  }
  return () => writing.breakBlock();
}

function isAdmonition(element: DomElement): boolean {
  const name = element.localName;
  if (name !== 'div' && name !== 'aside') return false;
  const className = element.getAttribute('class') ?? '';
  if (!ADMONITION.test(className)) return false;
  return /admonition|markdown-alert|custom-block|callout/.test(className) || element.getAttribute('role') === 'note';
}

function isAdmonitionTitle(element: DomElement): boolean {
  const className = element.getAttribute('class');
  return className !== null && ADMONITION_TITLE.test(className);
}

function enterBold(writing: Writing): Entered {
  writing.startLine('space');
  const mark = writing.openMark('strong', '**', '**');
  return () => {
    if (mark !== null) writing.closeMark(mark);
    const text = writing.endLine();
    if (text !== '') writing.blocks.paragraph(text);
  };
}

function enterNote(label: string, writing: Writing): Entered {
  const first = `[^${label}]: `;
  writing.blocks.push(first, '    ', false);
  return () => {
    writing.breakBlock();
    writing.blocks.pop();
  };
}

export function enterList(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  const ordered = element.localName === 'ol';
  const start = Number.parseInt(element.getAttribute('start') ?? '1', 10);
  const marker = ordered ? writing.blocks.listMarker('.', ')') : writing.blocks.listMarker('-', '*');
  const list: List = {
    marker,
    next: ordered ? (Number.isFinite(start) && start >= 0 && start <= 999_999_999 ? start : 1) : null,
    items: 0,
    nested: writing.lists.length > 0 && writing.blocks.depth() > 0 && writing.blocks.isUsed(),
  };
  writing.lists.push(list);
  return () => {
    writing.breakBlock();
    writing.lists.pop();
    if (!writing.isLine()) writing.blocks.endList(marker);
  };
}

export function enterListItem(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  const list = writing.lists.at(-1);
  if (writing.isLine()) {
    if (writing.isCell()) writing.raw('- ');
    return () => writing.breakBlock();
  }
  const label = writing.footnotes.note(element);
  if (label !== null) return enterNote(label, writing);
  const marker = itemMarker(list, element);
  const tight = list !== undefined && (list.items > 0 || list.nested);
  writing.blocks.push(marker, ' '.repeat(marker.length), tight);
  return () => {
    writing.breakBlock();
    if (list !== undefined && writing.blocks.isUsed()) list.items += 1;
    else if (list !== undefined && list.next !== null) list.next -= 1;
    writing.blocks.pop();
  };
}

function itemMarker(list: List | undefined, item: DomElement): string {
  if (list === undefined || list.next === null) return `${list?.marker ?? '-'} `;
  const value = Number.parseInt(item.getAttribute('value') ?? '', 10);
  if (Number.isFinite(value) && value >= 0 && value <= 999_999_999) list.next = value;
  const marker = `${list.next}${list.marker} `;
  list.next += 1;
  return marker;
}

/** A definition list becomes a list of bold terms with what is said of each below it. */
export function enterDefinition(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  if (writing.isLine()) return () => writing.breakBlock();
  const name = element.localName;
  if (name === 'dl') return enterDefinitionList(writing);
  const list = writing.lists.at(-1);
  if (list === undefined || !list.isDefinition) return enterBlockOnly(writing);
  if (name === 'dt') {
    closeDefinition(list, writing);
    writing.blocks.push('- ', '  ', list.items > 0 || list.nested);
    list.isOpen = true;
    list.items += 1;
    return enterTerm(writing);
  }
  if (!list.isOpen) {
    writing.blocks.push('- ', '  ', list.items > 0 || list.nested);
    list.isOpen = true;
    list.items += 1;
  }
  return () => writing.breakBlock();
}

function enterDefinitionList(writing: Writing): Entered {
  const list: List = {
    marker: '-',
    next: null,
    items: 0,
    nested: writing.lists.length > 0 && writing.blocks.depth() > 0 && writing.blocks.isUsed(),
    isDefinition: true,
    isOpen: false,
  };
  writing.lists.push(list);
  return () => {
    writing.breakBlock();
    closeDefinition(list, writing);
    writing.lists.pop();
    writing.blocks.endList('-');
  };
}

function closeDefinition(list: List, writing: Writing): void {
  if (list.isOpen !== true) return;
  writing.blocks.pop();
  list.isOpen = false;
}

function enterTerm(writing: Writing): Entered {
  const leave = enterBold(writing);
  return () => {
    if (typeof leave === 'function') leave();
    writing.blocks.tighten();
  };
}

function enterBlockOnly(writing: Writing): Entered {
  return () => writing.breakBlock();
}
