import { foldForSearch } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { parseQuestion } from '#ranking/question.ts';

/** Passages below this share of the best score are dropped, if the best one contains an identifier of the question. */
const WEAK_SHARE = 0.3;

type Scored = { score: number; text: readonly string[]; headings: readonly string[]; lead: { text: string } | null };

/**
 * Drops passages that fit far less than the best one, if that one contains an identifier of the question. A passage
 * with an identifier that no earlier one has is kept.
 */
export function dropWeakPassages<P extends Scored>(passages: readonly P[], question: string): P[] {
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
