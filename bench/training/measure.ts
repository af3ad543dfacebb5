import { parseForest } from '#extract/html/main/model/forest.ts';
import { separateMainContent } from '#extract/html/main/main-content.ts';
import { readPageTraits } from '#extract/html/main/model/traits.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { convertDomToMarkdown } from '#extract/html/markdown/to-markdown.ts';
import { metadataOf } from '#extract/html/page-metadata.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { joinMainAndRest } from '#extract/lines/lines.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { VIEWPORT_LINES_DEFAULT } from '#tools/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import type { LabelledPage } from '../labelled.ts';
import { plainText } from '../plain-text.ts';
import { Runs, showsSentence, wordF1 } from '../scoring.ts';
import type { Truth } from '../scoring.ts';
import type { Trained, WrittenForest } from './models.ts';

/** Reads a page with trained models in place of those that ship. */
export async function measureWith(
  { segments, kinds }: Trained,
  { truth, html }: LabelledPage,
  into: Measured,
): Promise<void> {
  const prepared = parsePage(sanitizeText(html()), false);
  const document = prepared.document;
  const models = { segments: read(segments), kinds: kinds.map((kind) => read(kind)) };
  const traits = readPageTraits(document, prepared.jsonLd, truth.url, metadataOf(document));
  const { skip } = await separateMainContent(document, traits, truth.url, noPause, models);
  const main = convertDomToMarkdown(document.body, new LinkResolver(truth.url, truth.url), skip);
  const { lines } = await joinMainAndRest(main, { markdown: [], anchors: new Map() }, noPause);
  const view = plainText(lines.slice(0, VIEWPORT_LINES_DEFAULT).join('\n'));
  into.add(truth, plainText(main.markdown.join('\n')), view);
}

function read({ bias, trees }: WrittenForest) {
  return parseForest(bias, trees);
}

/** Scores by the type of page. */
export class Measured {
  private readonly scores = new Map<string, number[]>();
  private readonly runs = new Runs();
  /** For each page with sentences, whether its first view shows one. */
  private readonly views: boolean[] = [];

  add({ type, main_content: expected }: Truth, text: string, view: string): void {
    const score = wordF1(text, expected);
    const isShown = showsSentence(view, expected);
    if (isShown !== null) this.views.push(isShown);
    for (const key of [type, 'all']) this.scores.set(key, [...(this.scores.get(key) ?? []), score]);
    if (type === 'article') this.runs.add(text, expected);
  }

  /** Word F1 of each page of a type, or of `all`. */
  scoresOf(type: string): readonly number[] {
    return this.scores.get(type) ?? [];
  }

  /** Word F1 by type. */
  private byType(): { type: string; pages: number; f1: string }[] {
    return [...this.scores].map(([type, scores]) => {
      const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
      return { type, pages: scores.length, f1: (100 * mean).toFixed(1) };
    });
  }

  table(): string {
    const rows = this.byType().map(({ type, pages, f1 }) => `${type.padEnd(14)} ${f1.padStart(5)}  (${pages} pages)`);
    const shown = this.views.filter((isShown) => isShown).length;
    return [
      ...rows,
      `articles, runs of four words: ${this.runs.summary()}`,
      `first ${VIEWPORT_LINES_DEFAULT} lines show a sentence of the main part: ${shown} of ${this.views.length} pages`,
    ].join('\n');
  }
}
