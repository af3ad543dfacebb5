import { PATHS } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { ConsolePage } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';
import { Message } from '#web/layout.tsx';
import { Actions } from '#web/parts/form.tsx';
import { requireSignIn, consoleVisitor, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Check } from './health-check.ts';
import { fieldOf, page } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';

export type HealthPageDeps = ConsoleDeps & {
  check: (look: CheckKind) => Promise<readonly Check[]>;
  /** Whether a key is the one that the last deploy has set. */
  isLiveCheck: (key: string) => Promise<boolean>;
};

/** What is looked at: everything that is free; what costs money, too; the browser, step by step. */
export type CheckKind = 'free' | 'paid' | 'browser';

/**
 * For the owner: what works, what does not, and what to do about it. It looks anew each time it is loaded; the form on it
 * looks at what costs money, or tries the browser.
 */
export function healthPage(deps: HealthPageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.health, async (c) => {
    return requireSignIn(c, deps, (person) =>
      person.owner ? show(c, deps, person, 'free') : page(c, <Message {...NOT_YOURS} />, 403),
    );
  });
  app.post(PATHS.health, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const look = fieldOf(form, 'look') === 'browser' ? 'browser' : 'paid';
      return person.owner ? show(c, deps, person, look) : page(c, <Message {...NOT_YOURS} />, 403);
    }),
  );
  app.post(PATHS.browserHealth, async (c) => {
    c.header('cache-control', 'no-store');
    const key = (await c.req.formData()).get('key');
    if (typeof key !== 'string' || !(await deps.isLiveCheck(key))) return c.json({ error: 'forbidden' }, 403);
    return c.json({ checks: await deps.check('browser') });
  });
  return app;
}

async function show(c: Context<Site>, deps: HealthPageDeps, person: SignedIn, look: CheckKind): Promise<Response> {
  const visitor = await consoleVisitor(c, deps, person);
  return page(c, <Health checks={await deps.check(look)} visitor={visitor} />, 200);
}

const NOT_YOURS = { title: 'For the owner', text: 'This page is for the person who runs this server.' };
const VERDICTS: Record<Check['verdict'], { word: string; style: string | undefined }> = {
  fail: { word: 'Does not work', style: 'problem' },
  warn: { word: 'Needs attention', style: 'doubt' },
  unknown: { word: 'Not checked', style: 'doubt' },
  ok: { word: 'Works', style: undefined },
};
const ORDER = ['fail', 'warn', 'unknown', 'ok'] as const;

function Health({ checks, visitor }: { checks: readonly Check[]; visitor: Visitor }) {
  return (
    <ConsolePage visitor={visitor} title="Health check" at={PATHS.health} lead={summary(checks)}>
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
      <Actions
        to={PATHS.health}
        actions={[
          { label: 'Check paid search services, too', sends: {} },
          { label: 'Try the browser', sends: { look: 'browser' } },
        ]}
      />
    </ConsolePage>
  );
}

function summary(checks: readonly Check[]): string {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return failed === 1 ? 'One thing does not work.' : `${failed} things do not work.`;
  if (doubtful > 0) return 'Everything works. Some things need attention.';
  return 'Everything that can be checked from here works.';
}
