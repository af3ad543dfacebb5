/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** Read by `test/support/stories.ts`. */
    STORIES: string;
    SEED: string;
    TEST_BUCKET: R2Bucket;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
