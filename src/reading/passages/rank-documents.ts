import { CodeFences } from '#core/text/plain.ts';
import type { Pause } from '#core/flow/turns.ts';
import type { PassageRanking } from '#ranking/rank.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { parseQuestion } from '#ranking/question.ts';

/**
 * Maximum characters read for one question: ten long books, up to 6 s of CPU. Documents share the limit, and unused
 * shares go to the next documents.
 */
const RANK_CHARS_MAX = 12_000_000;
/** Characters that are scored between two pauses: a tenth of a second. Ten ordinary pages need one step. */
const RANK_STEP_CHARS = 1_000_000;

type RankedDocument = {
  title: string | null;
  restStart: number | null;
  chunks: () => AsyncIterable<{ firstLine: number; lines: readonly string[] }>;
};

/** The result for one document. `stop`: number of the first line that was not read; `null` if all were. */
export type RankedDocumentResult = { stop: number | null; fences: CodeFenceLog };

export async function rankDocuments(
  documents: readonly RankedDocument[],
  ranking: PassageRanking,
  pause: Pause,
): Promise<RankedDocumentResult[]> {
  const texts: RankedDocumentResult[] = [];
  let left = RANK_CHARS_MAX;
  let chars = 0;
  for (const [place, { title, restStart, chunks }] of documents.entries()) {
    const document = ranking.document(title, restStart);
    let share = Math.floor(left / (documents.length - place));
    const fences = new CodeFenceLog();
    let stop: number | null = null;
    for await (const { firstLine, lines } of chunks()) {
      if (share <= 0) {
        stop = firstLine;
        break;
      }
      document.add(firstLine, lines);
      fences.add(firstLine, lines);
      const own = lines.reduce((sum, line) => sum + line.length, 0);
      share -= own;
      left -= own;
      chars += own;
      if (chars < RANK_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
    document.end();
    texts.push({ stop, fences });
  }
  return texts;
}

/** Records where code blocks begin and end. Add the lines in order. */
export class CodeFenceLog {
  readonly #fences = new CodeFences();
  readonly #changes: { loc: number; open: string | null }[] = [];

  add(firstLine: number, lines: readonly string[]): void {
    for (const [index, line] of lines.entries()) {
      const before = this.#fences.open;
      if (this.#fences.take(line) && this.#fences.open !== before)
        this.#changes.push({ loc: firstLine + index, open: this.#fences.open });
    }
  }

  /** Returns the fence of the code block that contains a line; `null` outside code. */
  openBefore(loc: number): string | null {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.loc ?? Infinity) < loc) low = middle + 1;
      else high = middle;
    }
    return this.#changes[low - 1]?.open ?? null;
  }
}

/** A passage whose score is below this share of the best score is weak, and may be removed. */
const WEAK_SHARE = 0.3;

type Scored = { score: number; text: readonly string[]; headings: readonly string[]; lead: { text: string } | null };

/**
 * If the best passage has an identifier from the question, such as `maxAge`, removes weak passages. A weak passage
 * stays if it has an identifier that no passage before it has.
 */
export function dropWeakerPassages<P extends Scored>(passages: readonly P[], question: string): P[] {
  const [best] = passages;
  const wanted = parseQuestion(question).identifiers.map(({ text }) => foldForSearch(text));
  if (best === undefined || wanted.length === 0) return [...passages];
  const shown = new Set(identifiersIn(best, wanted));
  if (shown.size === 0) return [...passages];
  return passages.filter((passage) => {
    const isNew = identifiersIn(passage, wanted).some((one) => !shown.has(one));
    if (!isNew && passage.score < WEAK_SHARE * best.score) return false;
    for (const one of identifiersIn(passage, wanted)) shown.add(one);
    return true;
  });
}

function identifiersIn({ text, headings, lead }: Scored, wanted: readonly string[]): string[] {
  const all = foldForSearch([...headings, lead?.text ?? '', ...text].map(visibleText).join('\n'));
  return wanted.filter((one) => all.includes(one));
}
