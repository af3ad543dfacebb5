import { logLines, requestLines, secretHeaderValues } from '#browsing/read/log.ts';
import type { LogLines, LogQuery } from '#browsing/read/log.ts';
import type { Work } from './perform.ts';

export type LogInput = LogQuery | { kind: 'request'; id: string };

/** What the page of a tab logged and requested, without anything that gives access. */
export async function logOf({ live, tab, signal }: Work, input: LogInput): Promise<LogLines> {
  const { record } = tab;
  const secrets = await secretsOf(live, record);
  const plain = { secrets, hide: (text: string) => tab.session.told(text, 'page') };
  if (input.kind !== 'request') return logLines(record, input, plain);
  const lines = await requestLines(record, input.id, plain, signal);
  return { lines, mark: record.mark, leftOut: 0, dropped: 0, failed: null };
}

/** The longest first, because one may be part of another. */
async function secretsOf({ browser, contextId }: Work['live'], record: Work['tab']['record']): Promise<string[]> {
  const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
  const values = [...cookies.map(({ value }) => value), ...secretHeaderValues(record)];
  const written = values.flatMap((value) => [value, decodedOf(value), encodeURIComponent(value)]);
  return [...new Set(written)].toSorted((one, other) => other.length - one.length);
}

function decodedOf(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
