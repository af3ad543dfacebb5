import { classOf, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { toPlain } from '#core/plain.ts';
import { isBesideCode } from './beside-code.ts';
import type { Place } from './blocks.ts';
import { placeName } from './place-name.ts';

const LINE_TAGS = new Set(['div', 'li', 'tr', 'p', 'pre', 'x-line']);
const TABLE_TAGS = new Set(['table', 'tbody', 'thead', 'tr']);

/** Editors and highlighters that draw code without a `pre`, or with one for each line. */
const CODE_CONTAINERS =
  /(?:^|\s)(?:CodeMirror-code|cm-content|view-lines|ace_text-layer|syntaxhighlighter|js-file-line-container)(?:\s|$)/;
/** They write each space as a no-break space, which is not part of the code. */
const NO_BREAK_SPACES = /(?:^|\s)(?:view-lines|syntaxhighlighter)(?:\s|$)/;

/** Elements that are a block of code. */
export function isCodeContainer(element: DomElement): boolean {
  const name = element.localName;
  if (name === 'pre') return true;
  if (name === 'code') return isCodeBlock(element);
  const className = classOf(element);
  return className !== '' && CODE_CONTAINERS.test(className);
}

/** A `code` of several lines outside a `pre` that a highlighter marks as a block. */
function isCodeBlock(code: DomElement): boolean {
  const className = classOf(code);
  if (!/(?:^|\s)(?:hljs|lang(?:uage)?-\S+|block)(?:\s|$)/.test(className)) return false;
  return (code.textContent ?? '').trim().includes('\n');
}

/**
 * The text of a code block, unchanged, without line numbers and buttons. Linear, without recursion.
 * @param names receives the named places in it, with their lines
 */
export function codeText(root: DomElement, names: Place[] = []): string {
  const collected = new CodeLines(root, names);
  let node: DomNode | null = root.firstChild;
  while (node !== null) {
    const descend = collected.enter(node);
    if (descend && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    if (descend) collected.leaveEmpty(node);
    while (node !== root && node.nextSibling === null && node.parentNode !== null) {
      node = node.parentNode;
      if (node !== root) collected.leave(node);
    }
    if (node === root) break;
    node = node.nextSibling;
  }
  // This comes before the fence is chosen, because a line end or fence that appears later could end it.
  const code = toPlain(collected.text());
  return NO_BREAK_SPACES.test(classOf(root)) ? code.replaceAll('\u00a0', ' ') : code;
}

class CodeLines {
  private readonly parts: string[] = [];
  private readonly isPre: boolean;
  private endsLine = true;
  private line = 0;
  private readonly names: Place[];

  constructor(root: DomElement, names: Place[]) {
    this.names = names;
    this.isPre = root.localName === 'pre' || root.localName === 'code';
  }

  text(): string {
    return this.parts.join('');
  }

  /** Whether what is below `node` is code, too. */
  enter(node: DomNode): boolean {
    if (isText(node)) {
      const text = node.textContent ?? '';
      if (!this.isLayout(node, text)) this.add(text);
      return false;
    }
    if (!isElement(node)) return false;
    const name = placeName(node);
    if (name !== null) this.names.push({ name, line: this.line });
    if (isBesideCode(node)) return false;
    if (node.localName === 'br') {
      this.add('\n');
      return false;
    }
    if (LINE_TAGS.has(node.localName) && !this.endsLine) this.add('\n');
    return true;
  }

  leave(node: DomNode): void {
    if (isElement(node) && LINE_TAGS.has(node.localName) && !this.endsLine) this.add('\n');
  }

  leaveEmpty(node: DomNode): void {
    if (isElement(node) && LINE_TAGS.has(node.localName)) this.add('\n');
  }

  /** White space between the rows of a table or the lines of an editor is not drawn. */
  private isLayout(node: DomNode, text: string): boolean {
    if (text.trim() !== '') return false;
    const parent = node.parentNode;
    if (parent === null || !isElement(parent)) return false;
    if (TABLE_TAGS.has(parent.localName)) return true;
    return !this.isPre && text.includes('\n') && holdsLines(node);
  }

  private add(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.endsLine = text.endsWith('\n');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line += 1;
  }
}

function holdsLines(node: DomNode): boolean {
  let line = node.nextSibling ?? node.parentNode?.firstChild ?? null;
  if (line !== null && isText(line)) line = line.nextSibling;
  return line !== null && isElement(line) && LINE_TAGS.has(line.localName);
}
