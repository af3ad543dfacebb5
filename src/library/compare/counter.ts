/** Words for things that pages count. The number is before or after the word. */
const COUNTED = new Set(
  'view views visit visits visitor visitors hits read reads like likes comment comments replies share shares star stars fork forks watcher watchers follower followers download downloads vote votes online aufrufe vues vistas'.split(
    ' ',
  ),
);
const COUNTED_AFTER: readonly (readonly string[])[] = [
  'pageview',
  'pageviews',
  'page view',
  'page views',
  'times',
  'people online',
  'people are reading',
  ...['min', 'mins', 'minute', 'minutes'].map((minutes) => `${minutes} read`),
].map((words) => words.split(' '));
const AGO = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'year'].flatMap((unit) => [unit, `${unit}s`]));
const VAGUE = new Set(['a', 'an', 'few']);
const MULTIPLES = new Set(['k', 'm']);
/** Placeholder for a number. */
const NUMBER = '#';
const TOKENS = /[\p{L}\p{N}_]+|#/gu;
const COUNTERS_MAX = 6;

/**
 * True if a text consists of up to six counters: `1,204 views`, `Comments (7)`, `3 min read`, `5 minutes ago`.
 * @param text with each number replaced by `#`
 */
export function isCounter(text: string): boolean {
  const tokens = text.toLowerCase().match(TOKENS) ?? [];
  let counters = 0;
  for (let at = 0; at < tokens.length;) {
    const taken = counterAt(tokens, at);
    if (taken > 0) counters += 1;
    else if (tokens[at] !== NUMBER) return false;
    at += Math.max(1, taken);
  }
  return counters > 0 && counters <= COUNTERS_MAX;
}

/** Number of tokens of the counter that begins at this token; 0 for none. */
function counterAt(tokens: readonly string[], at: number): number {
  const hasNumber = tokens[at] === NUMBER;
  const isMultiple = hasNumber && MULTIPLES.has(tokens[at + 1] ?? '');
  const from = at + Number(hasNumber) + Number(isMultiple);
  const word = tokens[from] ?? '';
  const isVague = VAGUE.has(word);
  if (AGO.has(tokens[from + Number(isVague)] ?? '') && tokens[from + Number(isVague) + 1] === 'ago')
    return from + Number(isVague) + 2 - at;
  if (!hasNumber) return COUNTED.has(word) && tokens[from + 1] === NUMBER ? 2 : 0;
  const words = COUNTED_AFTER.find((one) => one.every((part, offset) => tokens[from + offset] === part));
  if (words !== undefined) return from + words.length - at;
  return COUNTED.has(word) ? from + 1 - at : 0;
}
