import { readForest } from '#extract/html/main/forest.ts';
import { mainContentOf } from '#extract/html/main/main-content.ts';
import { traitsOf } from '#extract/html/main/traits.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { toMarkdown } from '#extract/html/markdown/to-markdown.ts';
import { metadataOf } from '#extract/html/page-facts.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { toPlain } from '#core/text/plain.ts';
import { noPause } from '#core/flow/turns.ts';
import type { LabelledPage } from '../labelled.ts';
import { plainText } from '../plain-text.ts';
import { Runs, wordF1 } from '../scoring.ts';
import type { Trained, WrittenForest } from './models.ts';

/** Reads a page with trained models in place of those that ship. */
export async function measureWith(
  { segments, kinds }: Trained,
  { truth, html }: LabelledPage,
  into: Measured,
): Promise<void> {
  const prepared = parsePage(toPlain(html()), false);
  const document = prepared.document;
  const models = { segments: read(segments), kinds: kinds.map((kind) => read(kind)) };
  const traits = traitsOf(document, prepared.jsonLd, truth.url, metadataOf(document));
  const { skip } = await mainContentOf(document, traits, truth.url, noPause, models);
  const text = plainText(toMarkdown(document.body, new Links(truth.url, truth.url), skip).markdown.join('\n'));
  into.add(truth.type, text, truth.main_content);
}

function read({ bias, trees }: WrittenForest) {
  return readForest(bias, trees);
}

/** Scores by the type of page. */
export class Measured {
  private readonly scores = new Map<string, number[]>();
  private readonly runs = new Runs();

  add(type: string, text: string, expected: string): void {
    const score = wordF1(text, expected);
    for (const key of [type, 'all']) this.scores.set(key, [...(this.scores.get(key) ?? []), score]);
    if (type === 'article') this.runs.add(text, expected);
  }

  table(): string {
    const rows = [...this.scores].map(([type, scores]) => {
      const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
      return `${type.padEnd(14)} ${(100 * mean).toFixed(1).padStart(5)}  (${scores.length} pages)`;
    });
    return [...rows, `articles, runs of four words: ${this.runs.summary()}`].join('\n');
  }
}
