import { z } from 'zod';
import { StopError } from './stop-error.ts';

/** Form of the Worker's log lines: JSON for programs, or one short line for people. */
export type LogFormat = 'json' | 'text';

/**
 * @param given `LOG_FORMAT`; without it, a terminal gets text
 * @throws {StopError} for another value
 */
export function readLogFormat(given: string | undefined, isTerminal: boolean): LogFormat {
  if (given === undefined || given === '') return isTerminal ? 'text' : 'json';
  if (given === 'json' || given === 'text') return given;
  throw new StopError('LOG_FORMAT must be json or text.');
}

const call = z.object({
  ts: z.string(),
  tool: z.string(),
  origin: z.string().nullish(),
  url: z.string().nullish(),
  ms: z.number(),
  status: z.string(),
  error_code: z.string().nullish(),
});
const event = z.looseObject({ ts: z.string(), level: z.string(), event: z.string() });

const TOOL_CHARS = 20;

/**
 * A log line for people; `null` for a line without news for them, such as a successful hourly clean-up. Text that is
 * not a log line stays unchanged.
 */
export function readable(line: string): string | null {
  const fields = parsed(line);
  const made = call.safeParse(fields);
  if (made.success) {
    const { ts, tool, origin, url, ms, status, error_code: code } = made.data;
    const outcome = status === 'ok' ? '✓' : `✗ ${code ?? status}`;
    return `${clock(ts)}  ${[tool.padEnd(TOOL_CHARS), placeOf(url ?? origin), `${ms} ms`, outcome].filter((part) => part !== '').join('  ')}`;
  }
  const told = event.safeParse(fields);
  if (!told.success) return line;
  const { ts, level, event: name, ...more } = told.data;
  if (level === 'info') return null;
  const facts = Object.entries(more).flatMap(([key, value]) =>
    key !== 'request_id' && isPlain(value) ? [`${key} ${value}`] : [],
  );
  const listed = Object.entries(more).flatMap(([key, value]) =>
    texts.parse(value).map((one) => `    ${key === 'stack' ? '' : `${key.replaceAll('_', ' ')}: `}${one}`),
  );
  return [`${clock(ts)}  ${[name.replaceAll('_', ' '), ...facts].join('  ')}`, ...listed].join('\n');
}

const texts = z.array(z.string()).catch([]);

const plain = z.union([z.string(), z.number(), z.boolean()]);

function isPlain(value: unknown): value is z.infer<typeof plain> {
  return plain.safeParse(value).success;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function placeOf(address: string | null | undefined): string {
  return (address ?? '').replace(/^https?:\/\//, '');
}

/** Local time of this machine. */
function clock(ts: string): string {
  return new Date(ts).toTimeString().slice(0, 'hh:mm:ss'.length);
}
