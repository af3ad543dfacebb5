import { PATHS } from '#core/paths.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { ConsolePage } from '#web/console/console-page.tsx';
import { MessagePage, CONSOLE_BACK_LINK } from '#web/layout.tsx';
import { Actions } from '#web/parts/form.tsx';
import { ItemList, StateMark } from '#web/parts/list.tsx';
import type { ListEntry, StateLabel } from '#web/parts/list.tsx';
import { requireSignIn, startConsolePage, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { HealthCheck } from './health-check.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';

export type HealthPageDeps = ConsoleDeps & {
  check: (look: HealthCheckScope) => Promise<readonly HealthCheck[]>;
  isLiveCheck: (key: string) => Promise<boolean>;
};

/** Scope of the check. `paid` includes providers that charge for queries; `browser` tries a browser step by step. */
export type HealthCheckScope = 'free' | 'paid' | 'browser';

/**
 * Page for the owner with the result of each check, and instructions for failures. Each load runs the checks again. Its
 * form also checks paid search providers, or tries the browser.
 */
export function healthPage(deps: HealthPageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.health, async (c) => {
    return requireSignIn(c, deps, (person) =>
      person.owner ? show(c, deps, person, 'free') : respondWithPage(c, <MessagePage {...NOT_YOURS} />, 403),
    );
  });
  app.post(PATHS.health, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const look = formText(form, 'look') === 'browser' ? 'browser' : 'paid';
      return person.owner ? show(c, deps, person, look) : respondWithPage(c, <MessagePage {...NOT_YOURS} />, 403);
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

async function show(
  c: Context<SiteEnv>,
  deps: HealthPageDeps,
  person: SignedIn,
  look: HealthCheckScope,
): Promise<Response> {
  const respond = startConsolePage(c, deps, person);
  return respond(<Health checks={await deps.check(look)} />);
}

const NOT_YOURS = {
  title: 'For the owner',
  text: 'This page is for the person who runs this server.',
  link: CONSOLE_BACK_LINK,
};
const VERDICTS: Record<HealthCheck['verdict'], StateLabel> = {
  fail: { text: 'Does not work', looks: 'bad' },
  warn: { text: 'Needs attention', looks: 'warn' },
  unknown: { text: 'Not checked' },
  ok: { text: 'Works', looks: 'ok' },
};
const ORDER = ['fail', 'warn', 'unknown', 'ok'] as const;

function Health({ checks }: { checks: readonly HealthCheck[] }) {
  const groups = [...Map.groupBy(checks, groupOf)].map(([group, some]) => ({
    group,
    checks: ORDER.flatMap((verdict) => some.filter((check) => check.verdict === verdict)),
  }));
  // Sorts groups by their worst check, which is first in the group.
  const worst = (group: (typeof groups)[number]) => ORDER.indexOf(group.checks[0]?.verdict ?? 'ok');
  return (
    <ConsolePage title="Health check" at={PATHS.health} lead={summary(checks)}>
      {groups
        .toSorted((one, other) => worst(one) - worst(other))
        .map(({ group, checks: some }) => (
          <section>
            <h2>{group}</h2>
            <ItemList items={inRows(some)} />
          </section>
        ))}
      <h2>Check more</h2>
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

const DURABLE_OBJECT = 'Durable Object ';
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Storage: ['Database', 'Grants', DURABLE_OBJECT],
  Network: ['Looking up', 'Reaching', 'Webhook'],
  Search: ['Search:'],
  Settings: ['Settings'],
};

function groupOf({ name }: HealthCheck): string {
  const found = Object.entries(GROUPS).find(([, begins]) => begins.some((begin) => name.startsWith(begin)));
  return found?.[0] ?? 'Browser';
}

/** Rows for the checks. Durable Objects that work share one row, so that they do not fill the page. */
function inRows(checks: readonly HealthCheck[]): ListEntry[] {
  const isWell = ({ name, verdict }: HealthCheck) => verdict === 'ok' && name.startsWith(DURABLE_OBJECT);
  const well = checks.filter(isWell).map(({ name }) => name.slice(DURABLE_OBJECT.length));
  const rows = checks.filter((check) => !isWell(check)).map(checkItem);
  if (well.length === 0) return rows;
  const all: ListEntry = {
    about: 'Durable Objects',
    name: 'Durable Objects.',
    body: well.length === 1 ? 'One class answers.' : `${well.length} classes answer.`,
    aside: <StateMark {...VERDICTS.ok} />,
    details: [well.join(', ')],
  };
  return [...rows, all];
}

function checkItem({ name, verdict, found, fix = '', command }: HealthCheck): ListEntry {
  return {
    about: name,
    name: `${name}.`,
    body: (
      <>
        {found}
        {fix === '' ? null : <p>{fix}</p>}
      </>
    ),
    aside: <StateMark {...VERDICTS[verdict]} />,
    details: command === undefined ? [] : [<code>{command}</code>],
  };
}

function summary(checks: readonly HealthCheck[]): string {
  const count = (verdict: HealthCheck['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return failed === 1 ? 'One thing does not work.' : `${failed} things do not work.`;
  if (doubtful > 0) return 'Everything works. Some things need attention.';
  return 'Everything that can be checked from here works.';
}
