import { randomFrom } from '#scripts/docs/scale/random.ts';
import { parseHTML } from '../rivals/parse-html.ts';
import type { PageNode } from '../rivals/parse-html.ts';
import { plain } from './source-blocks.ts';

const EDITS_MAX = 6;
const TEXT_CHARS_MIN = 40;

/** Changes some texts of a page, as an author would, and adds differences that are no change. */
export function editPage(
  html: string,
  seed: number,
): { html: string; truth: { gone: string[]; come: string[] } | null } {
  const random = randomFrom(seed);
  const document = parseHTML(html);
  const blocks = [...document.querySelectorAll('p, li, td, dd, pre')].filter(
    (block) =>
      block.querySelector('p, li, td, dd, pre, table, div') === null &&
      plain(block.textContent ?? '').length >= TEXT_CHARS_MIN &&
      block.closest(
        'nav, header, footer, aside, form, [hidden], .sidebar, .sphinxsidebar, .related, .navheader, .navfooter',
      ) === null,
  );
  const counts = new Map<string, number>();
  for (const block of blocks)
    counts.set(plain(block.textContent ?? ''), (counts.get(plain(block.textContent ?? '')) ?? 0) + 1);
  const single = blocks.filter((block) => counts.get(plain(block.textContent ?? '')) === 1);
  if (single.length < 2 * EDITS_MAX) return { html, truth: null };
  const truth: { gone: string[]; come: string[] } = { gone: [], come: [] };
  for (let edit = 0; edit < EDITS_MAX; edit += 1) {
    const [block] = single.splice(Math.floor(random() * single.length), 1);
    if (block === undefined) continue;
    const before = block.textContent ?? '';
    const what = random();
    const isAlone = ['P', 'LI'].includes(block.nodeName.toUpperCase());
    if (what < 0.2 && isAlone) {
      truth.gone.push(before);
      block.remove();
    } else if (what < 0.4 && isAlone) {
      const text = `Since release ${edit + 2} the ${NOUNS[Math.floor(random() * NOUNS.length)] ?? ''} number ${Math.floor(random() * 9000)} is also read when the service begins.`;
      const added = document.createElement(block.nodeName);
      added.textContent = text;
      block.after(added);
      truth.come.push(text);
    } else {
      if (!changeWord(block, random)) continue;
      truth.gone.push(before);
      truth.come.push(block.textContent ?? '');
    }
  }
  document.querySelector('nav ul, .sphinxsidebar ul, .navheader')?.prepend(' Version 99.1 ');
  return { html: document.toString(), truth };
}

const NOUNS = ['journal', 'schedule', 'directory', 'cache', 'certificate', 'manifest', 'socket'];

/** Replaces a word in the longest text of the block. */
function changeWord(block: PageNode, random: () => number): boolean {
  const texts: PageNode[] = [];
  const walk = (node: PageNode) => {
    if (node.nodeType === 3) texts.push(node);
    for (const child of node.childNodes) walk(child);
  };
  for (const child of block.childNodes) walk(child);
  const [longest] = texts.toSorted((a, b) => (b.textContent ?? '').length - (a.textContent ?? '').length);
  const words = (longest?.textContent ?? '').split(' ');
  const places = words.flatMap((word, at) => (/^[a-z]{4,}$/.test(word) ? [at] : []));
  const place = places[Math.floor(random() * places.length)];
  if (longest === undefined || place === undefined) return false;
  words[place] = 'quicksilver';
  longest.textContent = words.join(' ');
  return true;
}
