import { foldForSearch } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { parseQuestion } from '#ranking/question.ts';

/**
 * Share of the best score below which a passage is weak. Weak passages are removed if the best passage contains an
 * identifier from the question.
 */
const WEAK_SHARE = 0.3;

type Scored = { score: number; text: readonly string[]; headings: readonly string[]; lead: { text: string } | null };

/**
 * Removes weak passages if the best one contains an identifier from the question. A weak passage stays if it contains
 * an identifier that no passage before it contains.
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
