import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type StoreFacts = {
  /** One of each kind: editions differ only in their heading. `extractMs` is the fastest extraction of its kind. */
  pages: { url: string; lines: number; bytes: number; chunks: number; extractMs: number }[];
  /** All documents together. */
  textBytes: number;
  /** Tables, indexes and full-text index together. */
  fileBytes: number;
};

/** Facts about the local D1 database of a stopped server. */
export function readStore(home: string): StoreFacts {
  const files = globSync(join(home, '.wrangler/state/v3/d1/**/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`Expected one database, found ${files.length}.`);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const pages = database
      .prepare(
        `SELECT url, line_count, byte_count, (SELECT count(*) FROM document_chunks WHERE document_id = documents.id) AS chunks,
           min(meta ->> '$.timings.extractMs') AS extract_ms
         FROM snapshots JOIN documents ON documents.id = document_id GROUP BY substr(url, 1, instr(url, '?'))`,
      )
      .all()
      .map((row) => ({
        url: String(row['url']),
        lines: Number(row['line_count']),
        bytes: Number(row['byte_count']),
        chunks: Number(row['chunks']),
        extractMs: Number(row['extract_ms']),
      }));
    const textBytes = Number(database.prepare('SELECT sum(byte_count) AS bytes FROM documents').get()?.['bytes']);
    return { pages, textBytes, fileBytes: statSync(file).size };
  } finally {
    database.close();
  }
}
