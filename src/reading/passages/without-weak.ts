import { foldForSearch } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';

/** A passage with less of the best score is left out, if the best one has what is asked for by name. */
const WEAK_SHARE = 0.3;

type Scored = { score: number; text: readonly string[]; headings: readonly string[]; lead: { text: string } | null };

/**
 * Passages without those that fit far less than the best one, when that has an identifier of the question. A passage with an
 * identifier that no other before it has stays.
 * @param identifiers as the question has them
 */
export function withoutWeak<P extends Scored>(passages: readonly P[], identifiers: readonly string[]): P[] {
  const [best] = passages;
  if (best === undefined || identifiers.length === 0) return [...passages];
  const wanted = identifiers.map((one) => foldForSearch(one));
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
