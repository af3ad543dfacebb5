import { Hono } from 'hono';
import { html } from 'hono/html';
import { Layout } from '#pages/layout.tsx';
import { Message } from '#pages/message.tsx';
import type { Check } from './health-check.ts';

export const HEALTH_PATH = '/console/health';

export type HealthPageDeps = {
  /** Who sent a request from a browser. */
  signedIn: (request: Request) => Promise<{ owner: boolean } | null>;
  /** The sign-in page that comes back here. */
  signInUrl: string;
  check: () => Promise<readonly Check[]>;
};

/** For the owner: what works, what does not, and what to do about it. It looks anew each time it is loaded. */
export function healthPage({ signedIn, signInUrl, check }: HealthPageDeps): Hono {
  const app = new Hono();
  app.get(HEALTH_PATH, async (c) => {
    c.header('cache-control', 'no-store');
    const person = await signedIn(c.req.raw);
    if (person === null) return c.redirect(signInUrl);
    if (!person.owner) return c.html(html`<!doctype html>${<Message {...NOT_YOURS} />}`, 403);
    return c.html(html`<!doctype html>${<Health checks={await check()} />}`);
  });
  return app;
}

const NOT_YOURS = { title: 'For the owner', text: 'This page is for the person who runs this server.' };

const VERDICTS: Record<Check['verdict'], { word: string; style: string | undefined }> = {
  fail: { word: 'Does not work', style: 'problem' },
  warn: { word: 'To look at', style: 'doubt' },
  unknown: { word: 'Not checked', style: 'doubt' },
  ok: { word: 'Works', style: undefined },
};
const ORDER = ['fail', 'warn', 'unknown', 'ok'] as const;

function Health({ checks }: { checks: readonly Check[] }) {
  return (
    <Layout title="Health check – Periscope">
      <h1>Health check</h1>
      <p class="lead">{summary(checks)}</p>
      {ORDER.map((verdict) => {
        const found = checks.filter((check) => check.verdict === verdict);
        const { word, style } = VERDICTS[verdict];
        return found.length === 0 ? null : (
          <section>
            <h2 class={style}>{word}</h2>
            <ul>
              {found.map((check) => (
                <li>
                  <p>
                    <strong>{check.name}.</strong> {check.found}
                  </p>
                  {check.fix === undefined || check.fix === '' ? null : <p>{check.fix}</p>}
                  {check.command === undefined ? null : <pre>{check.command}</pre>}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <p>
        <a href="/">What Periscope is and how to connect</a>
      </p>
    </Layout>
  );
}

function summary(checks: readonly Check[]): string {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return failed === 1 ? 'One thing does not work.' : `${failed} things do not work.`;
  if (doubtful > 0) return 'Everything works. Some things deserve a look.';
  return 'Everything that can be checked from here works.';
}
