import { classOf, nearestOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { fenceLines } from '#extract/fence.ts';
import { BLOCK_TAGS } from '#extract/html/tags.ts';
import { enterBlock, enterDefinition, enterHeading, enterList, enterListItem, headingLevel } from './block-elements.ts';
import { codeLanguage } from './language.ts';
import type { Place } from './blocks.ts';
import { isNextToCode } from './beside-code.ts';
import { codeText, isCodeContainer } from './code.ts';
import { enterLink, enterMark, writeCodeSpan, writeImage } from './inline-elements.ts';
import { isAroundNote } from './footnotes.ts';
import { isToggle } from './furniture.ts';
import { formulaMarkdown, formulaOf, isDrawnMath } from './math.ts';
import { enterTablePart } from './table-elements.ts';
import type { Entered, Writing } from './writing.ts';

const SKIPPED = new Set(
  'script style svg template noscript iframe object head title meta link base input select option textarea canvas audio video source track rp wbr annotation annotation-xml'.split(
    ' ',
  ),
);
const CODE_LIKE = new Set(['code', 'kbd', 'samp', 'tt']);
const MARKED = new Set(['strong', 'b', 'em', 'i', 'del', 's', 'strike', 'sub', 'sup', 'dfn', 'cite', 'var']);
const TABLE_PARTS = new Set(['table', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']);

export function enterElement(element: DomElement, writing: Writing): Entered {
  const name = element.localName;
  if (SKIPPED.has(name)) return enterSkipped(element, writing);
  if (!writing.footnotes.isEmpty() && isAroundNote(element)) return 'skip';
  const formula = mayBeMath(element) ? formulaOf(element) : null;
  if (formula !== null) {
    if (formula.display && !writing.isLine()) {
      writing.breakBlock();
      writing.blocks.write([formulaMarkdown(formula, false)]);
    } else writing.atom(formulaMarkdown(formula, writing.isCell()));
    return 'skip';
  }
  if (isDrawnMath(element) || isNextToCode(element) || isToggle(element)) return 'skip';
  if (isCodeContainer(element)) return writeCode(element, writing);
  if (headingLevel(element) > 0) return enterHeading(element, writing);
  if (TABLE_PARTS.has(name)) return enterTablePart(element, writing);
  if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return enterList(element, writing);
  if (name === 'li') return enterListItem(element, writing);
  if (name === 'dl' || name === 'dt' || name === 'dd') return enterDefinition(element, writing);
  if (BLOCK_TAGS.has(name) || name === 'legend') return enterBlock(element, writing);
  return enterInline(element, writing);
}

/** Whether an element is written from its text alone, whatever it contains. */
export function isWrittenWhole(element: DomElement): boolean {
  return isCodeContainer(element) || CODE_LIKE.has(element.localName) || mayBeMath(element);
}

function enterInline(element: DomElement, writing: Writing): Entered {
  const name = element.localName;
  if (name === 'br') {
    writing.lineBreak();
    return 'skip';
  }
  if (name === 'a') return enterLink(element, writing);
  if (name === 'img') return writeImage(element, writing);
  if (CODE_LIKE.has(name)) return writeCodeSpan(element, writing);
  if (MARKED.has(name)) return enterMark(element, writing);
  if (name === 'label' || name === 'button') {
    writing.space();
    return () => writing.space();
  }
  if (name === 'q') {
    writing.text('“');
    return () => writing.text('”');
  }
  return 'descend';
}

function enterSkipped(element: DomElement, writing: Writing): Entered {
  if (element.localName === 'input' && element.getAttribute('type')?.toLowerCase() === 'checkbox') {
    const inItem = writing.lists.length > 0 && !writing.isLine();
    if (inItem && /(?:^|\s)(?:task|todo|checklist)/i.test(classesAround(element))) {
      writing.blocks.extendMarker(element.hasAttribute('checked') ? '[x] ' : '[ ] ');
    }
  }
  return 'skip';
}

function classesAround(input: DomElement): string {
  const item = nearestOf('li', input);
  if (item === null) return '';
  const own = `${classOf(item)} ${item.parentElement?.getAttribute('class') ?? ''} ${classOf(input)}`;
  const first = item.firstChild;
  const leads = first === input || first === input.parentNode || input.parentNode === item;
  return leads ? `${own} task` : own;
}

function mayBeMath(element: DomElement): boolean {
  switch (element.localName) {
    case 'math':
    case 'x-tex':
    case 'x-tex-block':
    case 'mjx-container':
    case 'img':
      return true;
    case 'span':
    case 'div':
      return /katex|mwe-math/.test(classOf(element));
    default:
      return false;
  }
}

function writeCode(element: DomElement, writing: Writing): Entered {
  const names: Place[] = [];
  const code = codeText(element, names);
  if (code.trim() === '') return 'skip';
  if (writing.isLine()) {
    for (const [index, line] of code.trim().split('\n').entries()) {
      if (index > 0) writing.lineBreak();
      if (line.trim() !== '') writing.code(line.trimEnd());
    }
    return 'skip';
  }
  writing.breakBlock();
  // The fence is the first line.
  const places = names.map(({ name, line }) => ({ name, line: line + 1 }));
  writing.blocks.write(fenceLines(code, codeLanguage(element)), 'blank', places);
  return 'skip';
}
