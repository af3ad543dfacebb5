import { parseHTML } from '../rivals/parse-html.ts';
import type { PageNode } from '../rivals/parse-html.ts';

/** Where each generator of documentation puts the main content, and the parts that it adds. */
const MAIN = [
  '[role=main]',
  '#apicontent',
  '#page-content',
  '#docs-content',
  'div.contents',
  'main',
  '#content',
  '#bd',
  'div.body',
  'body > .chapter, body > .sect1, body > .refentry, body > .appendix, body > .preface, body > .book, body > .part, body > .reference, body > .index, body > .bibliography, body > .glossary, body > .sect2',
  'body',
];
const ADDED =
  'script, style, noscript, template, nav, header, footer, .navheader, .navfooter, .headerlink, .genanchor, .permalink, .copiable-link, .copiable-anchor, .linenos, .lineno, .sphinxsidebar, .related, .toplang, .bottomlang, #footer, #footer-text, .breadcrumbs, .docs-top-title-wrapper, .docs-title, .related-docs, #sidebar, #titlearea, .docs-updated';

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 H4 H5 H6 HR LI MAIN MENU OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL BR'.split(
    ' ',
  ),
);
/** Elements whose content is one block. */
const WHOLE = new Set(['PRE', 'TR']);

/** The texts of a page's main part, by a selector for its generator, divided as in the source. */
export function sourceBlocks(html: string): string[] {
  const document = parseHTML(html);
  const root = MAIN.map((selector) => document.querySelectorAll(selector)).find((found) => found.length > 0) ?? [];
  const blocks: string[] = [];
  for (const main of root) {
    for (const added of main.querySelectorAll(ADDED)) added.remove();
    collect(main, blocks);
  }
  return blocks;
}

function collect(root: PageNode, blocks: string[]): void {
  let text = '';
  let isCode = false;
  const flush = () => {
    if (plain(text) !== '') blocks.push(isCode ? text.trim() : text.replace(/\s+/g, ' ').trim());
    text = '';
    isCode = false;
  };
  const walk = (node: PageNode) => {
    if (node.nodeType === 3) text += node.textContent ?? '';
    if (node.nodeType !== 1) return;
    const name = node.nodeName.toUpperCase();
    if (name === 'IMG' && 'getAttribute' in node && typeof node.getAttribute === 'function')
      text += String(node.getAttribute('alt') ?? '');
    const isLayout = name === 'TR' && [...node.childNodes].some((cell) => hasTable(cell));
    const isBlock = BLOCKS.has(name) && name !== 'BR';
    if (isBlock) flush();
    if (WHOLE.has(name) && !isLayout) [text, isCode] = [spaced(node), name === 'PRE'];
    else for (const child of node.childNodes) walk(child);
    if (name === 'BR' || name === 'TD' || name === 'TH') text += ' ';
    if (isBlock) flush();
  };
  walk(root);
  flush();
}

function hasTable(cell: PageNode): boolean {
  return (
    'querySelector' in cell &&
    typeof cell.querySelector === 'function' &&
    cell.querySelector('table, pre, ul, ol, dl') !== null
  );
}

/** Puts spaces between cells. */
function spaced(node: PageNode): string {
  if (node.nodeType === 3) return node.textContent ?? '';
  const space = ['TD', 'TH', 'P', 'BR', 'DIV'].includes(node.nodeName.toUpperCase()) ? ' ' : '';
  return [...node.childNodes].map(spaced).join('') + space;
}

/** The letters and digits of a text, which do not depend on its formatting. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
