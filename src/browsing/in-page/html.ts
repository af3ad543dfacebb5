import { calledOn } from './elements.ts';
import type { AnyElement } from './elements.ts';
import { readers } from './readers.ts';
import type { Readers } from './readers.ts';
import type { Html, HtmlOptions } from './scripts.ts';

type Write = Html & { options: HtmlOptions; read: Readers };

/** The document or the element as HTML, as it stands now. */
export function html(this: AnyElement | Window, options: HtmlOptions): Html {
  return htmlOf(calledOn(this) ?? document.documentElement, options);
}

/** Without recursion: pages nest as deep as they like. A shadow tree is written as a declarative one. */
function htmlOf(top: Node, options: HtmlOptions): Html {
  const write: Write = { html: '', isCut: false, scripts: 0, styles: 0, shadowRoots: 0, options, read: readers() };
  const open: (string | Node)[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (write.html.length >= options.charsMax) {
      write.isCut = true;
      break;
    }
    if (typeof next === 'string') write.html += next;
    else visit(next, next === top, open, write);
  }
  const { html: text, isCut, scripts, styles, shadowRoots } = write;
  return {
    html: text.slice(0, options.charsMax),
    isCut: isCut || text.length > options.charsMax,
    scripts,
    styles,
    shadowRoots,
  };
}

/** Writes the start of a node, and puts what follows it on the stack in reverse order. */
function visit(node: Node, isTop: boolean, open: (string | Node)[], write: Write): void {
  const { read } = write;
  const sibling = isTop ? null : read.nextSibling(node);
  if (sibling !== null) open.push(sibling);
  const kind = read.nodeType(node);
  if (kind === 3) write.html += textOf(node, read);
  if (kind !== 1) return;
  const name = read.localName(node);
  if (leftOut(node, name, write)) return;
  write.html += openTag(node, name, write);
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

function openTag(node: Node, name: string, { read, options }: Write): string {
  const attributes = [...read.attributes(node)];
  const isHidden = options.hidesFields && name === 'input';
  const isSecret =
    isHidden ||
    attributes.some(
      (attribute) =>
        (attribute.name === 'type' && /^\s*password\s*$/iu.test(attribute.value)) ||
        (/^(?:autocomplete|name|id)$/u.test(attribute.name) && /passw/iu.test(attribute.value)),
    );
  const kept = attributes.filter(
    (attribute) =>
      !(isSecret && attribute.name === 'value') &&
      (options.keepsScripts || !/^(?:style|nonce|integrity|on[a-z]+)$/u.test(attribute.name)),
  );
  return `<${name}${kept.map((attribute) => attributeText(attribute, options)).join('')}>`;
}

/** Whether what a person types into the element becomes its text. */
function isField(node: Node, name: string, read: Readers): boolean {
  return name === 'textarea' || [...read.attributes(node)].some((attribute) => attribute.name === 'contenteditable');
}

function attributeText({ name, value }: Attr, { attributeCharsMax }: HtmlOptions): string {
  if (value === '') return ` ${name}`;
  const data = /^\s*data:([^,]{0,100}),/iu.exec(value);
  const max = data === null ? attributeCharsMax : 0;
  const kept =
    value.length <= Math.max(max, 40) ? value : data === null ? `${value.slice(0, max)}…` : `data:${data[1]},…`;
  return ` ${name}="${kept.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

function textOf(node: Node, read: Readers): string {
  const text = node.nodeValue ?? '';
  const parent = read.parentNode(node);
  const name = parent !== null && read.nodeType(parent) === 1 ? read.localName(parent) : '';
  if (name === 'script' || name === 'style') return text;
  const flat = /^(?:pre|textarea|code)$/u.test(name) ? text : text.replace(/\s+/gu, ' ');
  return flat.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
