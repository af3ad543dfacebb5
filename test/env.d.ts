/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** Read by `test/support/stories.ts`. */
    STORIES: string;
    SEED: string;
    TEST_BUCKET: R2Bucket;
    /** The browsers of this machine, at their own addresses. */
    CHROMIUM: Fetcher;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
