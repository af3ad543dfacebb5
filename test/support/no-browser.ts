import { Response } from 'miniflare';

/** The BROWSER binding of `test/worker`, which runs without a browser: a request to it fails the test and the run. */
export function refuseBrowsers({ method, url }: { method: string; url: string }): Response {
  console.error(
    `A test of test/worker asked for a browser (${method} ${url}). Tests that need one belong in test/browser.`,
  );
  process.exitCode = 1;
  return new Response('Tests in test/worker have no browser.', { status: 599 });
}
