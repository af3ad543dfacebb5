/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** Of `test/support/stories.ts`. */
    STORIES: string;
    SEED: string;
    TEST_BUCKET: R2Bucket;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
