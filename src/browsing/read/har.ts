import { redactUrl } from '#core/secrets/secret-addresses.ts';
import type { LoggedRequest, PageRecord } from '#browsing/tabs/page-record.ts';
import { safe, safeHeader } from './log.ts';
import type { Hidden } from './log.ts';

type Header = { name: string; value: string };

/** HTTP Archive 1.2, without cookies, credentials and bodies. -1 stands for what is not known. */
export type Har = {
  log: {
    version: '1.2';
    creator: { name: string; version: string };
    pages: never[];
    entries: HarEntry[];
  };
};
type HarEntry = {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: never[];
    headers: Header[];
    queryString: Header[];
    headersSize: number;
    bodySize: number;
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: never[];
    headers: Header[];
    content: { size: number; mimeType: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
    comment?: string;
  };
  cache: Record<string, never>;
  timings: { send: number; wait: number; receive: number };
};

export function harOf(records: readonly PageRecord[], version: string, hidden: Hidden): Har {
  const entries = records
    .flatMap(({ requests }) => requests)
    .toSorted((one, other) => one.begunAt - other.begunAt)
    .map((entry) => entryOf(entry, hidden));
  return { log: { version: '1.2', creator: { name: 'periscope', version }, pages: [], entries } };
}

function entryOf(entry: LoggedRequest, hidden: Hidden): HarEntry {
  const { method, begunAt, status, mimeType, bytes, ms, problem, sent, received } = entry;
  const url = addressOf(entry.url, hidden);
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    startedDateTime: new Date(begunAt).toISOString(),
    time: ms ?? 0,
    request: {
      method,
      url,
      httpVersion: '',
      cookies: [],
      headers: headersOf(sent, hidden),
      queryString: query.map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: headersOf(received, hidden),
      content: { size: bytes ?? 0, mimeType: safe(mimeType, hidden) },
      redirectURL: addressOf(valueOf(received, 'location'), hidden),
      headersSize: -1,
      bodySize: bytes ?? -1,
      ...(problem === null ? {} : { comment: problem }),
    },
    cache: {},
    timings: { send: 0, wait: ms ?? 0, receive: 0 },
  };
}

function addressOf(url: string, hidden: Hidden): string {
  return url === '' ? '' : safe(URL.canParse(url) ? redactUrl(url) : url, hidden);
}

function valueOf(headers: LoggedRequest['received'], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

/** Those whose value is not shown are left out. */
function headersOf(headers: LoggedRequest['sent'], hidden: Hidden): Header[] {
  return headers.flatMap(([name, value]) => {
    const shown = safeHeader(name, value, hidden);
    return shown === 'REDACTED' ? [] : [{ name: safe(name, hidden), value: shown }];
  });
}
