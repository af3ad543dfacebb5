/** Other extractors for the same page. Each is loaded only if it is installed here (`npm ci` in this folder). */

import type { PageNode } from './parse-html.ts';

export type Rival = {
  name: string;
  /** Its output, Markdown or plain text. Only this call is timed. */
  extract(html: string, url: string): Promise<string>;
  /** True if the output is Markdown, whose marks are not scored. */
  isMarkdown: boolean;
};

const MAKERS: Readonly<Record<string, () => Promise<Rival>>> = {
  readability,
  defuddle,
  'node-html-markdown': converter,
};

export async function rivals(wanted: (name: string) => boolean): Promise<Rival[]> {
  const found: Rival[] = [];
  for (const [name, make] of Object.entries(MAKERS)) {
    if (!wanted(name)) continue;
    try {
      found.push(await make());
    } catch (error) {
      console.error(`${name} is left out: ${String(error).split('\n')[0] ?? ''}`);
    }
  }
  return found;
}

/** Readability on linkedom without additions; its text by block. */
async function readability(): Promise<Rival> {
  const { parseHTML } = await import('./parse-html.ts');
  const { Readability } = await load('@mozilla/readability');
  return {
    name: 'readability',
    isMarkdown: false,
    extract: async (html) => {
      const reader = new Readability(parseHTML(html), { serializer: (node) => node });
      const content = reader.parse()?.content;
      return content === null || content === undefined ? '' : blockText(content);
    },
  };
}

/** defuddle on linkedom; the text of its HTML by block. */
async function defuddle(): Promise<Rival> {
  const { parseHTML } = await import('./parse-html.ts');
  const module = await load('defuddle/node');
  return {
    name: 'defuddle',
    isMarkdown: false,
    extract: async (html, url) => {
      const { content } = await module.Defuddle(parseHTML(html), url, { useAsync: false });
      return blockText(parseHTML(`<html><body>${content}</body></html>`).body);
    },
  };
}

/** A plain converter of whole pages to Markdown: the baseline without extraction. */
async function converter(): Promise<Rival> {
  const { NodeHtmlMarkdown } = await load('node-html-markdown');
  return { name: 'node-html-markdown', isMarkdown: true, extract: async (html) => NodeHtmlMarkdown.translate(html) };
}

/** Not installed with the project, so there are no types. */
type Unknown = {
  Defuddle(document: unknown, url: string, options: object): Promise<{ content: string }>;
  Readability: new (
    document: unknown,
    options: { serializer(node: PageNode): PageNode },
  ) => { parse(): { content?: PageNode | null } | null };
  NodeHtmlMarkdown: { translate(html: string): string };
};

async function load(name: string): Promise<Unknown> {
  const loaded: Unknown = await import(name);
  return loaded;
}

const BLOCK =
  /^(?:p|div|li|ul|ol|h[1-6]|table|tr|td|th|section|article|pre|blockquote|dl|dt|dd|br|figure|figcaption|header|footer)$/;

function blockText(node: PageNode): string {
  const parts: string[] = [];
  const visit = (current: PageNode) => {
    if (current.nodeType === 3) parts.push(current.textContent ?? '');
    const isBlock = BLOCK.test(current.localName ?? '');
    if (isBlock) parts.push('\n');
    for (const child of current.childNodes) visit(child);
    if (isBlock) parts.push('\n');
  };
  visit(node);
  return parts.join('');
}
