import { env } from 'cloudflare:workers';
import { Downloads } from '#browsing/session/operations/downloads.ts';
import { partNamed } from '#core/objects.ts';

const BYTES_MAX = 1_000_000;

/** Downloads of an arbitrary owner, for tests of something else. */
export function testDownloads(): Downloads {
  return new Downloads(partNamed(env.PERSON_STORE, 'tests', 'files'), {
    session: 'tests',
    limits: { each: BYTES_MAX, together: BYTES_MAX },
    mask: (text) => text,
    report: (error) => {
      throw error;
    },
  });
}
