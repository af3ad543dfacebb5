import { isPrivateField } from '#core/secrets/private-fields.ts';
import { elementCalledOn, createDomReaders, rootElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement, DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { CHARS_AFTER_CUT, TextWithCutsBuilder } from './cut.ts';
import type { HtmlResult, SerializeHtmlOptions } from '#browsing/in-page/script-types.ts';

type Write = Omit<HtmlResult, 'html'> & { html: TextWithCutsBuilder; options: SerializeHtmlOptions; read: DomReaders };

export function serializeHtml(this: AnyElement | Window, options: SerializeHtmlOptions): HtmlResult {
  return htmlOf(elementCalledOn(this) ?? rootElement(), options);
}

/** HTML of a node and its content, with shadow trees as templates. Iterative, because pages nest deeply. */
function htmlOf(top: Node, options: SerializeHtmlOptions): HtmlResult {
  const write: Write = {
    html: new TextWithCutsBuilder(),
    isCut: false,
    scripts: 0,
    styles: 0,
    shadowRoots: 0,
    options,
    read: createDomReaders(),
  };
  const open: (string | Node)[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (write.html.chars >= options.charsMax + CHARS_AFTER_CUT) {
      write.isCut = true;
      break;
    }
    if (typeof next === 'string') write.html.add(next);
    else visit(next, next === top, open, write);
  }
  const { html: text, isCut, scripts, styles, shadowRoots } = write;
  return {
    html: text.cut(options.charsMax),
    isCut: isCut || text.chars > options.charsMax,
    scripts,
    styles,
    shadowRoots,
  };
}

/** Writes the start tag of a node and pushes its content on the stack in reverse order. */
function visit(node: Node, isTop: boolean, open: (string | Node)[], write: Write): void {
  const { read } = write;
  const sibling = isTop ? null : read.nextSibling(node);
  if (sibling !== null) open.push(sibling);
  const kind = read.nodeType(node);
  if (kind === 3) write.html.add(textOf(node, read));
  if (kind !== 1) return;
  const name = read.localName(node);
  if (leftOut(node, name, write)) return;
  openTag(node, name, write);
  if (/^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/u.test(name)) return;
  open.push(`</${name}>`);
  if (write.options.hidesFields && isField(node, name, read)) return;
  const child = read.firstChild(node);
  if (child !== null) open.push(child);
  const shadow = read.shadowRoot(node);
  if (shadow === null) return;
  write.shadowRoots += 1;
  open.push('</template>');
  const inner = read.firstChild(shadow);
  if (inner !== null) open.push(inner);
  open.push('<template shadowrootmode="open">');
}

function leftOut(node: Node, name: string, write: Write): boolean {
  if (write.options.keepsScripts) return false;
  const attributes = [...write.read.attributes(node)];
  const isStyle = name === 'style' || (name === 'link' && attributes.some(({ value }) => /stylesheet/iu.test(value)));
  const isScript = name === 'script' || (name === 'link' && attributes.some(({ value }) => /preload$/iu.test(value)));
  if (isStyle) write.styles += 1;
  if (isScript) write.scripts += 1;
  return isStyle || isScript;
}

function openTag(node: Node, name: string, { html: text, read, options }: Write): void {
  const attributes = [...read.attributes(node)];
  const isHidden = options.hidesFields && name === 'input';
  const of = (wanted: string) => attributes.find((attribute) => attribute.name === wanted)?.value ?? '';
  const isSecret =
    isHidden || isPrivateField({ type: of('type'), autocomplete: of('autocomplete'), name: of('name'), id: of('id') });
  const kept = attributes.filter(
    (attribute) =>
      !(isSecret && attribute.name === 'value') &&
      (options.keepsScripts || !/^(?:style|nonce|integrity|on[a-z]+)$/u.test(attribute.name)),
  );
  text.add(`<${name}`);
  for (const attribute of kept) addAttribute(attribute, options, text);
  text.add('>');
}

/** True if the element's content is typed by the user: a `<textarea>` or an editor. */
function isField(node: Node, name: string, read: DomReaders): boolean {
  return name === 'textarea' || [...read.attributes(node)].some((attribute) => attribute.name === 'contenteditable');
}

function addAttribute(
  { name, value }: Attr,
  { attributeCharsMax }: SerializeHtmlOptions,
  text: TextWithCutsBuilder,
): void {
  text.add(` ${name}`);
  if (value === '') return;
  const data = /^\s*data:([^,]{0,100}),/iu.exec(value);
  const isShortData = data !== null && value.length <= DATA_CHARS_MAX;
  text.add('="');
  if (data === null || isShortData) text.addCut(value, attributeCharsMax, escapeAttribute);
  else text.add(escapeAttribute(`data:${data[1]},…`));
  text.add('"');
}

/** Maximum characters of a `data:` URL. Longer ones are shortened to their media type. */
const DATA_CHARS_MAX = 40;

export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function textOf(node: Node, read: DomReaders): string {
  const text = node.nodeValue ?? '';
  const parent = read.parentNode(node);
  const name = parent !== null && read.nodeType(parent) === 1 ? read.localName(parent) : '';
  if (name === 'script' || name === 'style') return text;
  const flat = /^(?:pre|textarea|code)$/u.test(name) ? text : text.replace(/\s+/gu, ' ');
  return flat.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
