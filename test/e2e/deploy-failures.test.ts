import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployFailure, UnfinishedDeploy } from '#scripts/deploy/deployed.ts';
import type { DeployOptions } from '#scripts/deploy/deploy.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { deployWorld, DOMAIN, PROJECT, WORKERS_DEV } from '#support/deploy-world.ts';

const world = deployWorld();

/** The database is made after the empty Worker was deployed, which finds out the plan, and before the real one. */
const afterPlan = (calls: readonly string[]) => calls.some((call) => /^POST .*\/d1\/database$/u.test(call));
const uploads = (calls: readonly string[]) => calls.filter((call) => /^PUT .*\/scripts\/periscope$/u.test(call)).length;
const afterUpload = (calls: readonly string[]) => uploads(calls) > 1;

/** Refuses a request of Wrangler's from now on; a server's failure it would try again. */
function refuse(request: RegExp, since = afterPlan): void {
  world.account().failing = { request, since, status: 400, code: 100117, message: 'refused by the test' };
}

/** The final message of a failed run. */
async function failedRun(environment: Record<string, string> = {}, more: Partial<DeployOptions> = {}) {
  const error: unknown = await world.run(environment, more).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StopError)) throw new Error(`This is no failure that is told: ${String(error)}`);
  return { told: deployFailure(error), isDeployed: error instanceof UnfinishedDeploy };
}

const passphrase = () => world.account().worker?.secrets['OWNER_PASSPHRASE'];

describe('a deploy that fails after the upload', () => {
  it.each([
    ['looking up the address', /^GET .*\/workers\/workers\/periscope$/u, null, [`${WORKERS_DEV}: NOT set`]],
    ['setting the address', /^POST .*\/periscope\/subdomain$/u, null, [`${WORKERS_DEV}: NOT set`]],
    ['setting the schedule', /^PUT .*\/schedules$/u, null, [`${WORKERS_DEV}: set`, 'clean-up: NOT set']],
    ['setting the domain', /^PUT .*\/domains\/records$/u, 'periscope.example.com', [`${DOMAIN}: NOT set`, 'up: set']],
  ])('at %s has shown the passphrase, and reports which parts are deployed', async (_, request, domain, words) => {
    refuse(request);
    const { told, isDeployed } = await failedRun({}, { domain });
    expect(isDeployed).toBe(true);
    expect(world.printed()).toContain('refused by the test');
    expect(world.printed()).toMatch(/passphrase, shown this once: \S+\nYou sign in with it as the owner/u);
    expect(world.madePassphrase()).toBe(passphrase());
    for (const part of ['is deployed', 'this version is running', ...words, 'Run npm run deploy again'])
      expect(told).toContain(part);
    expect(told).not.toContain('not deployed');

    world.account().failing = null;
    world.forgetPrinted();
    const before = passphrase();
    await world.run();
    expect(passphrase()).toBe(before);
    expect(world.printed()).toContain("OWNER_PASSPHRASE='12 characters or more' npm run deploy");
    expect(world.printed()).toContain(`Connector URL  ${domain === null ? WORKERS_DEV : DOMAIN}/mcp`);
    expect(world.account().worker?.schedules).toEqual(['17 * * * *']);
  });

  it('can be given a passphrase by the owner with the command that a later run prints', async () => {
    await world.run();
    world.forgetPrinted();
    await world.run({ OWNER_PASSPHRASE: 'a passphrase of my own' });
    expect(passphrase()).toBe('a passphrase of my own');
    expect(world.printed()).not.toMatch(/a passphrase of my own|To set a new one/u);
  });

  it('does not guess when Cloudflare does not report the deployed version', async () => {
    refuse(/\/schedules$|\/deployments$/u, afterUpload);
    const { told, isDeployed } = await failedRun();
    expect(isDeployed).toBe(true);
    expect(told).toContain('did not say whether the new version is deployed');
    expect(told).not.toContain('not deployed');
    expect(world.madePassphrase()).toBe(passphrase());
  });

  it('reports which parts are unknown when Cloudflare stops answering', async () => {
    refuse(/\/schedules$|\/periscope\/subdomain$/u, afterUpload);
    expect((await failedRun()).told).toMatch(/workers\.dev: not known[^]*clean-up: not known/u);
  });
});

describe('a deploy with one refused request', () => {
  it.each([[null], ['periscope.example.com']])(
    'reports correctly for each request whether it is deployed, and shows the passphrase that is set: %s',
    { timeout: 600_000 },
    async (domain) => {
      await world.run({}, { domain });
      const requests = [...world.account().calls];
      // A token may be allowed to deploy and not to ask these.
      const optional = [/\/workers\/subdomain$/u, /\/ai-gateway\//u].map((one) =>
        requests.findIndex((request) => one.test(request)),
      );
      for (const [n, request] of requests.entries()) {
        if (optional.includes(n)) continue;
        await world.emptyAccount();
        world.forgetPrinted();
        refuse(/./u, ({ length }) => length === n + 1);
        const { told, isDeployed } = await failedRun({}, { domain });
        const [shown, set] = [world.madePassphrase(), passphrase()];
        const isSaidNot = told.includes('was not deployed');
        const is = { isDeployed: set !== undefined, isSaidNot: set === undefined };
        expect({ request, isDeployed, isSaidNot }).toEqual({ request, ...is });
        if (set !== undefined) expect(shown).toBe(set);
        else if (shown !== undefined) expect(world.printed()).toContain('valid unless a later run shows another');

        world.account().failing = null;
        world.forgetPrinted();
        await world.run({}, { domain });
        expect(passphrase()).toBe(set ?? world.madePassphrase());
      }
    },
  );
});

describe('an update that fails before its version is deployed', () => {
  it('leaves the previous version in place', async () => {
    await world.run();
    const before = structuredClone(world.account().worker);
    for (const request of [/^POST .*\/versions$/u, /^POST .*\/deployments$/u]) {
      refuse(request);
      const { told, isDeployed } = await failedRun({ MAX_BYTES: '1000000' });
      expect(isDeployed).toBe(false);
      expect(told).toContain('This version of Periscope was not deployed');
      expect(world.account().worker).toEqual(before);
    }
    world.account().failing = null;
    await world.run({ MAX_BYTES: '1000000' });
    expect(world.account().worker?.vars).toMatchObject({ MAX_BYTES: '1000000' });
  });
});

describe('the Free plan', () => {
  it('is refused before a database, a store, a table or a Worker is created', async () => {
    Object.assign(world.account(), { plan: 'free' });
    const { databases, stores } = structuredClone(world.account());
    const { told } = await failedRun();
    expect(told).toMatch(/Workers Free plan[^]*Workers Paid[^]*Nothing was created/u);
    expect(world.account()).toMatchObject({ databases, stores, worker: null });
    expect(existsSync(join(world.home(), 'wrangler.deploy.toml'))).toBe(false);
    expect(world.madePassphrase()).toBeUndefined();

    Object.assign(world.account(), { plan: 'paid' });
    await world.run();
    expect(world.printed()).toContain('Connector URL');
  });
});

describe('the check of a new address', () => {
  it('is repeated until the address has its certificate', async () => {
    let tries = 0;
    await world.run(
      {},
      {
        ask: (...asked) => {
          tries += 1;
          if (tries < 40) throw new TypeError('fetch failed', { cause: tlsError() });
          return world.askWithoutBrowser(...asked);
        },
      },
    );
    expect(world.printed()).toContain(`Connector URL  ${WORKERS_DEV}/mcp`);
  });

  it.each<[string, () => Response, string]>([
    [
      'no certificate',
      () => {
        throw new TypeError('fetch failed', { cause: tlsError() });
      },
      'the last try: no connection (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)',
    ],
    ['an error of the edge', () => new Response('', { status: 522 }), 'the last try: HTTP 522'],
    [
      'no tables',
      () => Response.json({ status: 'not_ready', why: 'The database lacks 1 of 2 migrations.' }, { status: 503 }),
      'lacks 1 of 2 migrations',
    ],
    ['a wrong setting', () => new Response('Configuration: MAX_BYTES is wrong', { status: 500 }), 'MAX_BYTES is wrong'],
  ])('reports with %s that the version is deployed, the fault and the remedy', async (_, answer, words) => {
    const { told, isDeployed } = await failedRun({}, { waitMs: 20, ask: async () => answer() });
    expect(isDeployed).toBe(true);
    expect(told).toContain('This version of Periscope is deployed');
    expect(told).toContain(words);
    expect(told).toContain(`Connector URL  ${WORKERS_DEV}/mcp`);
    expect(told).not.toContain('not deployed');
    expect(world.madePassphrase()).toBe(passphrase());
  });
});

function tlsError(): Error {
  return Object.assign(new Error('handshake failure'), { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' });
}

const CREDITS = 'AI Gateway: Read';

describe('the permissions of an API token', () => {
  const page = readFileSync(join(PROJECT, 'docs/deploying.md'), 'utf8');
  const listed = [...page.matchAll(/^\| Account +\| ([\w ]+: \w+) +\|/gmu)].map(([, name = '']) => name);

  it('are those that docs/deploying.md lists', async () => {
    world.account().permissions = listed;
    await world.run();
    await world.run({}, { domain: 'periscope.example.com' });
    expect(world.account().worker?.domains).toEqual(['periscope.example.com']);
  });

  it.each(listed.filter((name) => name !== CREDITS))('include %s', async (name) => {
    world.account().permissions = listed.filter((other) => other !== name);
    await expect(world.run()).rejects.toThrow(/Authentication error/u);
  });

  it('need not include the one that reads credits for web search, and the run reports that it could not read them', async () => {
    expect(listed).toContain(CREDITS);
    world.account().permissions = listed.filter((name) => name !== CREDITS);
    await world.run();
    expect(world.printed()).toContain('could not be seen with this sign-in');
    expect(world.printed()).toContain(`Connector URL  ${WORKERS_DEV}/mcp`);
  });
});
