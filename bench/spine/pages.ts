/**
 * Pages like those people read: sections of prose with links, emphasis and inline code, and here and there a list, a
 * table or a code block. The same size and edition give the same page.
 */
import { randomFrom } from '#scripts/docs/scale/random.ts';

/** A phrase in about one paragraph of a hundred, for `find`. */
export const NEEDLE = 'amber lantern';

type Block =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'prose'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'code'; lines: string[] };

const WORDS =
  'the of and to in a is that for it as with on by this from at which or an be are not was when each one only other into after before between through under over they its their more less every same small large early late first last next open closed plain steady sudden gentle narrow wide common rare local remote river harbour valley ridge bridge market garden window engine signal record ledger letter journey station platform carriage timber copper granite canvas cotton barley pepper winter summer morning evening shadow weather current channel measure balance pattern margin surface column border corner circle number figure reason answer question method result sample survey season village council teacher builder painter sailor farmer miller keeper traveller visitor carry gather follow answer measure repair deliver collect compare describe consider return remain become appear happen begin finish travel arrive gather settle borrow exchange'.split(
    ' ',
  );
const PARTS = ['queue', 'buffer', 'index', 'reader', 'writer', 'cursor', 'parser', 'worker', 'cache', 'stream'];

/** An HTML page of at most `bytes` bytes. Editions differ in their heading, so each is another document. */
export function htmlPage(bytes: number, edition: number): string {
  const title = titleOf(edition);
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="Notes"><style>body{margin:0 auto;max-width:60ch}</style></head><body><header><nav><ul><li><a href="/">Home</a></li><li><a href="/notes">Notes</a></li><li><a href="/about">About</a></li></ul></nav></header><main><article><h1>${title}</h1>`;
  const foot = `</article></main><footer><p>Set in plain type. <a href="/imprint">Imprint</a></p></footer></body></html>`;
  return head + htmlBlocks(bytes - head.length - foot.length) + foot;
}

/** The same kind of page as Markdown, which is stored unchanged, so the document is as large as the body. */
export function markdownPage(bytes: number, edition: number): string {
  const head = `# ${titleOf(edition)}\n\n`;
  return head + markdownBlocks(bytes - head.length);
}

function titleOf(edition: number): string {
  return `Field notes, edition ${String(edition).padStart(5, '0')}`;
}

const htmlBlocks = blocksWith(blockHtml);
const markdownBlocks = blocksWith(blockMarkdown);

/** Blocks for this many bytes. They are made once for each size, so that serving a page takes almost no time. */
function blocksWith(write: (block: Block) => string): (bytes: number) => string {
  const made = new Map<number, string>();
  return (bytes) => {
    const text = made.get(bytes) ?? fill(bytes, write);
    made.set(bytes, text);
    return text;
  };
}

function fill(bytes: number, write: (block: Block) => string): string {
  const random = randomFrom(bytes);
  const parts: string[] = [];
  let size = 0;
  for (let number = 0; ; number += 1) {
    const text = write(makeBlock(number, random));
    size += text.length; // all ASCII
    if (size > bytes) return parts.join('');
    parts.push(text);
  }
}

/** A section is a heading and ten blocks, six or seven of them prose. */
function makeBlock(number: number, random: () => number): Block {
  const place = number % 11;
  if (place === 0) return { kind: 'heading', level: number % 33 === 0 ? 2 : 3, text: headingText(random) };
  if (place === 4) return { kind: 'list', items: times(between(3, 7, random), () => sentence(random, 4, 9)) };
  if (place === 7 && number % 2 === 0) {
    return { kind: 'table', rows: times(between(4, 9, random), (row) => tableRow(row, random)) };
  }
  if (place === 9 && number % 3 !== 0) return { kind: 'code', lines: codeLines(random) };
  return { kind: 'prose', text: paragraph(number, random) };
}

function paragraph(number: number, random: () => number): string {
  const sentences = times(between(2, 6, random), () => sentence(random, 7, 22));
  if (number % 97 === 1) sentences.push(`There the ${NEEDLE} was left in the window.`);
  return sentences.join(' ');
}

function sentence(random: () => number, min: number, max: number): string {
  const words = times(between(min, max, random), () => word(random));
  const at = Math.floor(random() * words.length);
  const chosen = words[at] ?? '';
  const kind = random();
  if (kind < 0.06) words[at] = `\u0001${chosen}\u0002/notes/${chosen}\u0003`; // a link
  else if (kind < 0.12) words[at] = `\u0004${chosen}\u0005`; // emphasis
  else if (kind < 0.18) words[at] = `\u0006${chosen}()\u0007`; // code
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function blockHtml(block: Block): string {
  const inline = (text: string) =>
    text
      .replaceAll('\u0001', '<a href="')
      .replace(/<a href="([^\u0002]*)\u0002([^\u0003]*)\u0003/g, '<a href="$2">$1</a>')
      .replaceAll('\u0004', '<em>')
      .replaceAll('\u0005', '</em>')
      .replaceAll('\u0006', '<code>')
      .replaceAll('\u0007', '</code>');
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${block.text}</h${block.level}>\n`;
    case 'prose':
      return `<p>${inline(block.text)}</p>\n`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>\n`;
    case 'table': {
      const row = (cells: string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
      const [head = [], ...rows] = block.rows;
      return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>\n`;
    }
    case 'code':
      return `<pre><code class="language-js">${block.lines.join('\n').replaceAll('<', '&lt;')}</code></pre>\n`;
  }
}

function blockMarkdown(block: Block): string {
  const inline = (text: string) =>
    text
      .replace(/\u0001([^\u0002]*)\u0002([^\u0003]*)\u0003/g, '[$1]($2)')
      .replaceAll(/[\u0004\u0005]/g, '*')
      .replaceAll(/[\u0006\u0007]/g, '`');
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}\n\n`;
    case 'prose':
      return `${inline(block.text)}\n\n`;
    case 'list':
      return `${block.items.map((item) => `- ${inline(item)}\n`).join('')}\n`;
    case 'table': {
      const [head = [], ...rows] = block.rows.map((cells) => `| ${cells.join(' | ')} |`);
      return `${[head, '| --- | --- | --- | --- |', ...rows].join('\n')}\n\n`;
    }
    case 'code':
      return `\`\`\`js\n${block.lines.join('\n')}\n\`\`\`\n\n`;
  }
}

function headingText(random: () => number): string {
  const text = times(between(2, 5, random), () => word(random)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tableRow(row: number, random: () => number): string[] {
  if (row === 0) return ['Name', 'Count', 'Share', 'Remark'];
  return [
    word(random),
    String(between(1, 9_999, random)),
    `${between(1, 99, random)} %`,
    `${word(random)} ${word(random)}`,
  ];
}

function codeLines(random: () => number): string[] {
  const part = () => PARTS[Math.floor(random() * PARTS.length)] ?? '';
  const name = `${part()}_${between(1, 99, random)}`;
  return [
    `export function ${name}(items) {`,
    ...times(
      between(2, 8, random),
      (line) => `  const ${part()}${line} = items.filter((item) => item.${part()} < ${between(1, 500, random)});`,
    ),
    `  return ${part()}0;`,
    '}',
  ];
}

function word(random: () => number): string {
  return WORDS[Math.floor(random() * WORDS.length)] ?? '';
}

function between(min: number, max: number, random: () => number): number {
  return min + Math.floor(random() * (max - min + 1));
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
