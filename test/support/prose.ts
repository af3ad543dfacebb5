/** Reproducible text of any size that extractors accept as content. */

const SUBJECTS = ['A keeper', 'The harbour', 'Every lamp', 'One ferry', 'The tide', 'A pilot', 'Each bell', 'The fog'];
const VERBS = ['counts', 'meets', 'warns', 'follows', 'remembers', 'carries', 'answers', 'keeps'];
const OBJECTS = ['the northern light', 'seven boats', 'an old chart', 'the evening signal', 'a distant shore'];
const ENDS = ['before dawn', 'without a word', 'in heavy weather', 'as the book says', 'for the third time'];

/** Sentence `index`; it contains its number, so that tests can tell sentences apart. */
export function sentence(index: number): string {
  const pick = (words: readonly string[], stride: number) => words[Math.floor(index / stride) % words.length] ?? '';
  return `${pick(SUBJECTS, 1)} ${pick(VERBS, 3)} ${pick(OBJECTS, 7)} ${pick(ENDS, 11)}, entry ${index}.`;
}

const SENTENCES_A_PARAGRAPH = 5;
const PARAGRAPHS_A_SECTION = 8;

type Piece = { heading: string | null; text: string };

/** Paragraphs until `maxBytes` are reached, counting `overhead` bytes of markup for each. The text is ASCII. */
function* paragraphs(maxBytes: number, overhead: number): Generator<Piece> {
  let bytes = 0;
  for (let index = 0; ; index += 1) {
    const heading = index % PARAGRAPHS_A_SECTION === 0 ? `Watch ${index / PARAGRAPHS_A_SECTION + 1}` : null;
    const text = Array.from({ length: SENTENCES_A_PARAGRAPH }, (_, offset) =>
      sentence(index * SENTENCES_A_PARAGRAPH + offset),
    ).join(' ');
    bytes += text.length + overhead + (heading === null ? 0 : heading.length + overhead);
    if (bytes > maxBytes) return;
    yield { heading, text };
  }
}

/** HTML for `htmlPage`, a little under `maxBytes`. */
export function proseHtml(maxBytes: number): string {
  const pieces = Array.from(paragraphs(maxBytes - 500, '<h2></h2>'.length), ({ heading, text }) =>
    heading === null ? `<p>${text}</p>` : `<h2>${heading}</h2><p>${text}</p>`,
  );
  return pieces.join('');
}

/** Markdown, a little under `maxBytes`. */
export function proseMarkdown(maxBytes: number): string {
  const pieces = Array.from(paragraphs(maxBytes - 100, '## \n\n'.length), ({ heading, text }) =>
    heading === null ? text : `## ${heading}\n\n${text}`,
  );
  return `${pieces.join('\n\n')}\n`;
}
