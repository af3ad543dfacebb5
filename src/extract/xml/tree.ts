import { escapeUTF8 } from 'entities/escape';
import { Parser } from 'htmlparser2';

/** An XML element. `name` includes the prefix, as in `dc:creator`. `children`: its texts and elements, in order. */
export type XmlElement = { name: string; attributes: Readonly<Record<string, string>>; children: XmlNode[] };
export type XmlNode = XmlElement | string;

export type XmlTree = {
  /** The document node, which contains the root element and the text before and after it. Comments are not stored. */
  document: XmlElement;
  cut: boolean;
};

/** Characters of XML per parsing step. A limit, such as that of depth, can stop parsing only between steps. */
const STEP_CHARS = 32 * 1024;

/**
 * Parses XML leniently. DOCTYPEs are skipped and their entities stay as written, so none can expand. Parsing stops at
 * the limits of depth and size, and after `charsMax` characters of text. With `local` names, prefixes are removed,
 * because each Office program may choose its own. Linear; never throws.
 */
export function parseXml(
  source: string,
  names: 'as written' | 'local' = 'as written',
  charsMax: number = Infinity,
): XmlTree {
  const document: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [document];
  const read = { nodes: 0, chars: 0, cut: false };
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        const name = names === 'local' ? written.slice(written.indexOf(':') + 1) : written;
        read.nodes += 1;
        if (open.length > XML_DEPTH_MAX || read.nodes > XML_NODES_MAX) read.cut = true;
        if (read.cut) return;
        const element: XmlElement = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      onclosetag() {
        if (!read.cut && open.length > 1) open.pop();
      },
      ontext(text) {
        const siblings = open.at(-1)?.children ?? [];
        const before = siblings.at(-1);
        if (read.cut) return;
        read.chars += text.length;
        if (read.chars > charsMax) read.cut = true;
        if (typeof before === 'string') siblings[siblings.length - 1] = before + text;
        else {
          read.nodes += 1;
          siblings.push(text);
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < source.length && !read.cut; at += STEP_CHARS) parser.write(source.slice(at, at + STEP_CHARS));
  if (!read.cut) parser.end();
  return { document, cut: read.cut };
}

/** Returns the children with one of these names (prefix included), in order. */
export function namedChildren(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  return (element?.children ?? []).flatMap((child) =>
    typeof child !== 'string' && names.includes(child.name) ? [child] : [],
  );
}

export function firstNamedChild(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  for (const name of names) {
    for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) return child;
  }
  return undefined;
}

/** Returns the descendants with one of these names, in order. A match inside another match is not returned. */
export function descendantsOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting: XmlNode[] = [...(element?.children ?? [])].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') continue;
    if (names.includes(node.name)) found.push(node);
    else for (let at = node.children.length - 1; at >= 0; at -= 1) waiting.push(node.children[at] ?? '');
  }
  return found;
}

export function textOf(element: XmlElement | undefined): string {
  const [first] = element?.children ?? [];
  // A shortcut, because most elements contain only one text.
  if (typeof first === 'string' && element?.children.length === 1) return first;
  let text = '';
  const waiting: XmlNode[] = element === undefined ? [] : [element];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') text += node;
    else for (let at = node.children.length - 1; at >= 0; at -= 1) waiting.push(node.children[at] ?? '');
  }
  return text;
}

export function innerXml(element: XmlElement): string {
  const out: string[] = [];
  type Step = XmlNode | { end: string };
  const waiting: Step[] = [...element.children].reverse();
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    if (typeof step === 'string') out.push(escapeUTF8(step));
    else if ('end' in step) out.push(`</${step.end}>`);
    else {
      const name = step.name.replace(/^\w+:/, '');
      const attributes = Object.entries(step.attributes).map(([key, value]) => ` ${key}="${escapeUTF8(value)}"`);
      out.push(`<${name}${attributes.join('')}>`);
      waiting.push({ end: name });
      for (let at = step.children.length - 1; at >= 0; at -= 1) waiting.push(step.children[at] ?? '');
    }
  }
  return out.join('');
}

const XML_DEPTH_MAX = 200;
/** Maximum nodes of a parsed XML document. This many take about 40 MB of memory. */
const XML_NODES_MAX = 400_000;

/** Maximum characters at the start of an XML file in which the root element may declare namespaces. */
const ROOT_CHARS_MAX = 20_000;
const DECLARED = /\sxmlns:([\w.-]{1,60})="([^"<>]{1,200})"/g;
const NAME = /(<\/?|\s(?:xmlns:)?)([\w.-]{1,60})(?=[:=])/g;

/**
 * Renames namespace prefixes to the usual ones: this code looks for `text:p`, but a file may declare `ns2` for that
 * namespace. A prefix stays if the file declares the usual one for another namespace. Linear.
 * @param usual prefixes by namespace URI
 */
export function renamePrefixes(xml: string, usual: Readonly<Record<string, string>>): string {
  const renamed = new Map<string, string>();
  const declared = [...xml.slice(0, ROOT_CHARS_MAX).matchAll(DECLARED)];
  const taken = new Set(declared.map(([, prefix = '']) => prefix));
  for (const [, prefix = '', address = ''] of declared) {
    const name = usual[address];
    if (name !== undefined && name !== prefix && !taken.has(name)) renamed.set(prefix, name);
  }
  if (renamed.size === 0) return xml;
  return xml.replace(NAME, (all, before: string, prefix: string) => {
    const name = renamed.get(prefix);
    return name === undefined ? all : before + name;
  });
}
