import { PATHS, signInPath } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Layout } from '#pages/layout.tsx';
import { Message } from '#pages/message.tsx';
import type { Check } from './health-check.ts';

/** What a request of these pages comes with. */
export type Site = { Bindings: { ctx: ExecutionContext } };

export type HealthPageDeps = {
  /** Who sent a request from a browser. */
  signedIn: (request: Request) => Promise<{ owner: boolean } | null>;
  forms: PageForms;
  /** @param c the request for the page */
  check: (look: Look, c: Context<Site>) => Promise<readonly Check[]>;
  /** Whether a key is the one that the last deploy has set. */
  isLiveCheck: (key: string) => Promise<boolean>;
};

/** What is looked at: everything that is free; what costs money, too; the browser, step by step. */
export type Look = 'free' | 'paid' | 'browser';

/** A token for the forms of a page, the cookie it is bound to, and whether a posted one is of this browser. */
export type PageForms = {
  start: (request: Request) => Promise<{ token: string; setCookie: string }>;
  isOurs: (request: Request, token: string) => Promise<boolean>;
};

/**
 * For the owner: what works, what does not, and what to do about it. It looks anew each time it is loaded; the form on it
 * looks at what costs money, or tries the browser.
 */
export function healthPage(deps: HealthPageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.health, async (c) => {
    c.header('cache-control', 'no-store');
    const person = await deps.signedIn(c.req.raw);
    if (person === null) return c.redirect(signInPath(PATHS.health));
    return person.owner ? show(c, deps, 'free') : c.html(page(<Message {...NOT_YOURS} />), 403);
  });
  app.post(PATHS.health, async (c) => {
    c.header('cache-control', 'no-store');
    const fields = await c.req.formData();
    const form = fields.get('form');
    const look = fields.get('look') === 'browser' ? 'browser' : 'paid';
    const isOurs = typeof form === 'string' && (await deps.forms.isOurs(c.req.raw, form));
    const person = await deps.signedIn(c.req.raw);
    if (person === null || !isOurs) return c.html(page(<Message {...EXPIRED} />), 403);
    return person.owner ? show(c, deps, look) : c.html(page(<Message {...NOT_YOURS} />), 403);
  });
  app.post(PATHS.browserHealth, async (c) => {
    c.header('cache-control', 'no-store');
    const key = (await c.req.formData()).get('key');
    if (typeof key !== 'string' || !(await deps.isLiveCheck(key))) return c.json({ error: 'forbidden' }, 403);
    return c.json({ checks: await deps.check('browser', c) });
  });
  return app;
}

async function show(c: Context<Site>, { forms, check }: HealthPageDeps, look: Look): Promise<Response> {
  const { token, setCookie } = await forms.start(c.req.raw);
  c.header('Set-Cookie', setCookie, { append: true });
  return c.html(page(<Health checks={await check(look, c)} form={token} />));
}

function page(content: Child) {
  return html`<!doctype html>${content}`;
}

const NOT_YOURS = { title: 'For the owner', text: 'This page is for the person who runs this server.' };
const EXPIRED = {
  title: 'The page had expired',
  text: 'This form was opened in another browser, or too long ago. Load the health check again.',
};

const VERDICTS: Record<Check['verdict'], { word: string; style: string | undefined }> = {
  fail: { word: 'Does not work', style: 'problem' },
  warn: { word: 'Needs attention', style: 'doubt' },
  unknown: { word: 'Not checked', style: 'doubt' },
  ok: { word: 'Works', style: undefined },
};
const ORDER = ['fail', 'warn', 'unknown', 'ok'] as const;

function Health({ checks, form }: { checks: readonly Check[]; form: string }) {
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
      <form method="post" action={PATHS.health} class="actions">
        <input type="hidden" name="form" value={form} />
        <button type="submit">Ask paid search services, too</button>
        <button type="submit" name="look" value="browser">
          Try the browser
        </button>
      </form>
      <p>
        <a href={PATHS.console}>Console</a>
      </p>
    </Layout>
  );
}

function summary(checks: readonly Check[]): string {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return failed === 1 ? 'One thing does not work.' : `${failed} things do not work.`;
  if (doubtful > 0) return 'Everything works. Some things need attention.';
  return 'Everything that can be checked from here works.';
}
