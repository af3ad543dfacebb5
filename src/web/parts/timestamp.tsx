import { useContext } from 'hono/jsx';
import { ClockContext, relativeTime, fullTime } from '#web/times.ts';

const DAY_CHARS = 'YYYY-MM-DD'.length;
const MINUTE_CHARS = 'YYYY-MM-DDThh:mm'.length;

/**
 * A time or a day, with the full date as its `title`. If the reader's time zone is unknown, it is in UTC and has no
 * `title`.
 * @param at ms since 1970
 * @param precise true to show a relative time or, in UTC, hours and minutes after the day
 */
export function Timestamp({ at, precise = false }: { at: number; precise?: boolean }) {
  const clock = useContext(ClockContext);
  const text = new Date(at).toISOString();
  if (clock !== null) {
    return (
      <time datetime={text} title={fullTime(at, clock)}>
        {precise ? relativeTime(at, clock) : clock.day.format(at)}
      </time>
    );
  }
  const shown = precise ? `${text.slice(0, MINUTE_CHARS).replace('T', ' ')} UTC` : text.slice(0, DAY_CHARS);
  return <time datetime={text}>{shown}</time>;
}

export function LastUsed({ at, never = 'Never used' }: { at: number | null; never?: string }) {
  if (at === null) return <>{never}</>;
  return (
    <>
      Last used <Timestamp at={at} precise />
    </>
  );
}
