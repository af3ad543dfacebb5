import type { OriginStore } from '#core/origin-store.ts';

/** What is known of one origin's robots.txt. */
export type RobotsEntry = {
  /** `rules`: `body` decides. `open`: there is no robots.txt (4xx). `closed`: the server failed (5xx). */
  outcome: 'rules' | 'open' | 'closed';
  /** The file as received, cut at 500 KiB; empty unless `outcome` is `rules`. */
  body: Uint8Array;
  /** ms since the epoch. */
  expiresAt: number;
};

/** Keeps entries between requests. A port that storage implements. */
export type RobotsStore = OriginStore<RobotsEntry>;
