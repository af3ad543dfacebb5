const DAY_CHARS = 'YYYY-MM-DD'.length;
const MINUTE_CHARS = 'YYYY-MM-DDThh:mm'.length;

/** A day, or a minute of one, in UTC: the server does not know where its reader is. @param at ms since 1970 */
export function Moment({ at, precise = false }: { at: number; precise?: boolean }) {
  const text = new Date(at).toISOString();
  const shown = precise ? `${text.slice(0, MINUTE_CHARS).replace('T', ' ')} UTC` : text.slice(0, DAY_CHARS);
  return <time datetime={text}>{shown}</time>;
}
