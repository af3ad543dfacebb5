import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { connectedClients } from '#auth/server/connections.ts';
import { citationPath } from '#core/document/citation.ts';
import { partNamed } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import type { ChangeStore, ReportStore } from '#storage/library/changes.ts';
import type { FollowStore } from '#storage/library/follows.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';
import type { AccessTokenStore } from '#storage/people.ts';
import { StoredFiles } from '#storage/person/stored-files.ts';
import type { SecretVault } from '#browsing/secrets/vault.ts';
import { Zip, ZipPassThrough, ZipDeflate } from 'fflate';

const ROWS_AT_ONCE = 500;

type CopyDeps = {
  parts: {
    env: Env;
    origin: string;
    citations: CitationStore;
    follows: FollowStore;
    changes: ChangeStore;
    reports: ReportStore;
    accessTokens: AccessTokenStore;
    siteRules: SiteRuleStore;
  };
  oauth: OAuthHelpers;
  vaultOf: (subject: string) => SecretVault | null;
  now: () => number;
};

/** Exports a user's data as files of an archive. Each file is read while the archive is written. */
export async function* exportUserData(subject: string, deps: CopyDeps): AsyncGenerator<ZipEntry> {
  const { env } = deps.parts;
  const at = deps.now();
  const history = partNamed(env.PERSON_STORE, subject, 'history');
  const text = (name: string, pieces: AsyncIterable<Uint8Array>) => ({ name, isText: true, at, pieces });
  yield text('README.txt', once(README));
  yield text('citations.json', jsonList(citationsOf(subject, deps)));
  yield text('activity.json', jsonList(paged((before) => history.deeds({}, before, ROWS_AT_ONCE), 'deeds')));
  for (const [number, session] of (await history.sessionNames()).entries()) {
    const steps = paged((before) => history.steps(session, before, ROWS_AT_ONCE), 'steps');
    yield text(`steps/${number + 1}-${session.replaceAll('/', '-')}.json`, jsonList(steps));
  }
  yield text('followed.json', jsonList(each(await deps.parts.follows.list(subject))));
  yield text('changes.json', jsonList(changesOf(subject, deps)));
  yield text('settings.json', once(JSON.stringify(await settingsOf(subject, deps), null, 2)));
  const files = new StoredFiles(partNamed(env.PERSON_STORE, subject, 'files'));
  for (const [number, facts] of (await files.list()).entries()) {
    // The number in the path distinguishes files with the same name.
    const name = facts.name.replaceAll(/[/\\]/g, '-');
    yield { name: `files/${number + 1}-${name}`, isText: false, at: facts.takenAt, pieces: files.pieces(facts) };
  }
}

const README = `Your copy of what this Periscope server has stored of you.

citations.json  what your models quoted, with its page and links
activity.json   what your models searched, read, cited and drove, newest first
steps/          what was done in each browser session, newest first
followed.json   pages and sites that you follow
changes.json    what changed in them, oldest first, by the lines of the documents
settings.json   your choices, rules, clients, tokens, feeds, and the names and sites of your secrets
files/          what sessions downloaded and what you uploaded

Times are milliseconds since 1970.

Left out: the values of secrets, and the sign-ins of sessions, which are stored encrypted and which no
page shows; the text of stored pages, which the links in citations.json open; pictures of steps, which the page of
each session shows for a week; cursors and budgets, which end by themselves.
`;

async function* citationsOf(subject: string, { parts }: CopyDeps): AsyncGenerator {
  let after: StoredCitation | null = null;
  do {
    const rows: StoredCitation[] = await parts.citations.list(subject, after, ROWS_AT_ONCE);
    for (const { subject: _, shareId, cursor, firstLine, lastLine, ...row } of rows) {
      const link = parts.origin + citationPath(cursor, { start: firstLine, end: lastLine });
      const shareLink = shareId === null ? null : `${parts.origin}${PATHS.quote}/${shareId}`;
      yield { ...row, cursor, firstLine, lastLine, link, shareLink };
    }
    after = rows.length < ROWS_AT_ONCE ? null : (rows.at(-1) ?? null);
  } while (after !== null);
}

async function* changesOf(subject: string, { parts }: CopyDeps): AsyncGenerator {
  let after = 0;
  for (;;) {
    const rows = await parts.changes.since(subject, after, ROWS_AT_ONCE);
    const last = rows.at(-1)?.at ?? 0;
    const isMore = rows.length === ROWS_AT_ONCE;
    // The next query begins after the last yielded timestamp. Rows with the newest timestamp are left for that query,
    // because more of them may follow, unless all rows have this timestamp.
    const whole = isMore && rows[0]?.at !== last ? rows.filter(({ at }) => at < last) : rows;
    yield* whole;
    if (!isMore) return;
    after = whole.at(-1)?.at ?? last;
  }
}

async function settingsOf(subject: string, { parts, oauth, vaultOf }: CopyDeps): Promise<unknown> {
  const [choices, clients, tokens, feeds, report, secrets, rules] = await Promise.all([
    partNamed(parts.env.PERSON_STORE, subject, 'history').wish(),
    connectedClients(oauth, subject),
    parts.accessTokens.list(subject),
    parts.changes.feeds(subject),
    parts.reports.find(subject),
    vaultOf(subject)?.list(),
    parts.siteRules.read(subject),
  ]);
  return {
    keeps: choices,
    clients,
    tokens: tokens.map(({ name, scopes, createdAt, expiresAt, lastUsedAt }) => ({
      name,
      scopes,
      createdAt,
      expiresAt,
      lastUsedAt,
    })),
    webhook: report === null ? null : { every: report.every, createdAt: report.createdAt, sentAt: report.sentAt },
    feeds: feeds.map(({ follow, createdAt }) => ({ follow, createdAt })),
    rules,
    secrets: (secrets ?? []).map(({ name, sites }) => ({ name, sites })),
  };
}

async function* paged<Name extends string, Row extends { seq: number }>(
  ask: (before: number | null) => Promise<Record<Name, Row[]> & { next: number | null }>,
  name: Name,
): AsyncGenerator {
  let before: number | null = null;
  do {
    const found: Record<Name, Row[]> & { next: number | null } = await ask(before);
    for (const { seq: _, ...row } of found[name]) yield row;
    before = found.next;
  } while (before !== null);
}

async function* each(rows: readonly { subject: string }[]): AsyncGenerator {
  for (const { subject: _, ...row } of rows) yield row;
}

const encoder = new TextEncoder();

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text);
}

async function* jsonList(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const item of items) {
    yield encoder.encode(before + JSON.stringify(item));
    before = ',\n';
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

/** A file of the archive, in chunks. Only text is compressed, because most other files already are. */
export type ZipEntry = { name: string; isText: boolean; at: number; pieces: AsyncIterable<Uint8Array> };

/**
 * A ZIP archive, created while it is downloaded, with one chunk in memory at a time. A file that fails ends the archive
 * with an error, so that it cannot be mistaken for a complete one.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    if (bytes.byteLength > 0) ready.push(bytes);
  });
  const work = written(zip, entries);
  return new ReadableStream({
    pull: async (out) => {
      while (ready.length === 0) {
        if ((await work.next()).done === true) break;
      }
      const bytes = ready.splice(0);
      for (const one of bytes) out.enqueue(one);
      if (bytes.length === 0) out.close();
    },
    cancel: async () => void (await work.return()),
  });
}

/** Writes one chunk of the archive, then waits for the next read. */
async function* written(zip: Zip, entries: AsyncIterable<ZipEntry>): AsyncGenerator<void, void, void> {
  for await (const { name, isText, at, pieces } of entries) {
    const file = isText ? new ZipDeflate(name) : new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    for await (const piece of pieces) {
      file.push(piece);
      yield;
    }
    file.push(new Uint8Array(), true);
    yield;
  }
  zip.end();
}
