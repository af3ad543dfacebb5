import { useContext } from 'hono/jsx';
import { ClockContext, nearTime, wholeTime } from '#web/times.ts';

const DAY_CHARS = 'YYYY-MM-DD'.length;
const MINUTE_CHARS = 'YYYY-MM-DDThh:mm'.length;

/**
 * A time: how long ago, or the day, with the whole date in its title. In UTC where the reader is not known.
 * @param at ms since 1970 @param precise of a day, the minute matters, too
 */
export function Timestamp({ at, precise = false }: { at: number; precise?: boolean }) {
  const clock = useContext(ClockContext);
  const text = new Date(at).toISOString();
  if (clock !== null) {
    return (
      <time datetime={text} title={wholeTime(at, clock)}>
        {precise ? nearTime(at, clock) : clock.day.format(at)}
      </time>
    );
  }
  const shown = precise ? `${text.slice(0, MINUTE_CHARS).replace('T', ' ')} UTC` : text.slice(0, DAY_CHARS);
  return <time datetime={text}>{shown}</time>;
}

export function LastUsed({ at, never = 'never used' }: { at: number | null; never?: string }) {
  if (at === null) return <>{never}</>;
  return (
    <>
      last used <Timestamp at={at} precise />
    </>
  );
}
