import { ElementType } from 'htmlparser2';
import type { parseDocument } from 'htmlparser2';

/** An independent HTML reader for the bench: it shares nothing with the product. */

type PageDocument = ReturnType<typeof parseDocument>;
type PageNode = PageDocument['children'][number];
export type PageElement = Extract<PageNode, { attribs: Record<string, string> }>;

const UNSEEN = /^(?:script|style|head|template|noscript|iframe|object|select|button|textarea|title)$/;
const NAVIGATION = /^(?:nav|header|footer|aside|form)$/;
const NAMED =
  /\b(?:nav|navheader|navfooter|navigation|navpath|toc|contents|sidebar|footer|related|breadcrumbs?|sphinxsidebar|navbar|menu|search|index|langs?|language|toplang|bottomlang|header)\b/i;
const BLOCK =
  /^(?:p|div|ul|ol|dl|table|pre|blockquote|h[1-6]|section|article|figure|li|dd|dt|tr|td|th|caption|center|hr|details|main)$/;
/** Elements that are not rendered as their text. */
const NOT_TEXT = /^(?:img|svg|math|input|button|video|audio|canvas|q|ruby)$/;
const PERMALINK = /^[¶#§🔗\s]*$/u;
const ANSWER_CHARS_MAX = 100;
const UNSPACED_CHARS_MAX = 40;
const ANSWER_CHARS_MIN = 6;

export function isElement(node: PageNode): node is PageElement {
  return 'attribs' in node;
}

/** Elements of a page in order, without hidden ones and those that the page marks as navigation. */
export function contentOf(root: PageDocument | PageElement): PageElement[] {
  return root.children.filter(isElement).flatMap((element) => {
    if (isUnseen(element) || isNavigation(element)) return [];
    return [element, ...contentOf(element)];
  });
}

function isUnseen({ name, attribs }: PageElement): boolean {
  return UNSEEN.test(name) || 'hidden' in attribs || /display:\s*none/i.test(attribs['style'] ?? '');
}

function isNavigation({ name, attribs }: PageElement): boolean {
  if (name === 'body' || name === 'html') return false;
  if (name === 'aside') return !/footnote/.test(attribs['class'] ?? '');
  return (
    NAVIGATION.test(name) || NAMED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''} ${attribs['role'] ?? ''}`)
  );
}

/** `asCode`: keeps line ends. */
export function textOf(element: PageElement, asCode = false): string {
  const text = textIn(element);
  return asCode ? text : text.replace(/\s+/g, ' ');
}

function textIn(node: PageNode): string {
  if (node.type === ElementType.Text) return node.data;
  if (!isElement(node) || isUnseen(node)) return '';
  if (node.name === 'br') return '\n';
  const text = node.children.map(textIn).join('');
  if (node.name === 'a' && PERMALINK.test(text)) return '';
  return BLOCK.test(node.name) ? ` ${text} ` : text;
}

/** The text of an element up to the first block after text; empty if not all of it is text. */
export function leadText(element: PageElement): string {
  const lead: PageNode[] = [];
  let isFull = false;
  const take = (node: PageNode) => {
    if (isFull) return;
    const isBlock = isElement(node) && BLOCK.test(node.name);
    if (isBlock && lead.some((one) => textIn(one).trim() !== '')) isFull = true;
    else if (isBlock) node.children.forEach(take);
    else lead.push(node);
    if (isBlock && lead.some((one) => textIn(one).trim() !== '')) isFull = true;
  };
  element.children.forEach(take);
  if (lead.some(holdsOther)) return '';
  return lead.map(textIn).join('').replace(/\s+/g, ' ').trim();
}

function holdsOther(node: PageNode): boolean {
  if (!isElement(node)) return false;
  return NOT_TEXT.test(node.name) || node.name === 'sup' || node.children.some(holdsOther);
}

/** The searchable beginning of a fact's text, cut at a word; `null` if it is too short, or has markup. */
export function answerOf(text: string): string | null {
  const flat = text.replace(/\s+/g, ' ').trim();
  const isSpaced = flat.includes(' ');
  const cut = flat.length <= ANSWER_CHARS_MAX ? flat : flat.slice(0, isSpaced ? ANSWER_CHARS_MAX : UNSPACED_CHARS_MAX);
  const whole = cut === flat || !isSpaced ? cut : cut.slice(0, Math.max(cut.lastIndexOf(' '), UNSPACED_CHARS_MAX));
  return squeezed(whole).length < ANSWER_CHARS_MIN || /\[\d+\]/.test(whole) ? null : whole;
}

/** Text without white space, Markdown marks and invisible characters. */
export function squeezed(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/<\/?(?:su[bp]|code|br)>/g, '')
    .replace(/[\s*_`~\\|<>[\]!#-]+/g, '');
}

/** A page in the charset that it names, or in UTF-8 if there is no such charset. */
export function decoded(bytes: Buffer): string {
  const named = /charset=["']?([\w-]+)/i.exec(bytes.subarray(0, HEAD_BYTES).toString('latin1'))?.[1] ?? 'utf-8';
  return decoderOf(named).decode(bytes);
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('utf-8');
    throw error;
  }
}

const HEAD_BYTES = 2_000;
