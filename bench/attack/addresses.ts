import { checkUrl } from '#net/fetch/gate.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { parseConfig } from '#core/config/config.ts';
import { knock } from './rig.ts';
import type { Rig } from './rig.ts';
import { DNS_ANSWERS, SPELLINGS } from './spellings.ts';
import type { Part, Try } from './try.ts';
import { WAYS } from './ways.ts';
import type { Way } from './lay.ts';
import type { Answer } from './wire.ts';

/** Addresses that are not public: in every spelling, from a resolver, and on pages that were opened. */
export async function addresses(rig: Rig): Promise<Part> {
  return { name: 'addresses, asked for', tries: [await trapped(rig), ...spellings(rig), ...names()] };
}

export async function addressesOfPages(rig: Rig): Promise<Part> {
  return { name: 'addresses, named by pages', tries: [arrives(rig), ...WAYS.map((way) => viaPage(rig, way))] };
}

/** Checks that no trap was reached, and that no answer contains a trap's page. */
async function quiet(rig: Rig, run: () => Promise<readonly Answer[]>, settleMs = 0): Promise<string | null> {
  rig.traps.arrived();
  const answers = await run();
  if (settleMs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
  const hits = rig.traps.arrived();
  if (hits.length > 0) return `a trap was reached: ${hits[0]}`;
  return answers.some(({ text }) => text.includes('canaryword')) ? 'a private page is shown' : null;
}

async function trapped({ traps, site }: Rig): Promise<Try> {
  const isThere = await knock(traps);
  return {
    name: `control: the traps count (ports ${traps.ports.join(', ')}), and the site is let through`,
    run: async () => (isThere && site.host !== '' ? null : 'a knock was not counted'),
  };
}

const TOOLS: readonly (readonly [tool: string, field: string, query: string])[] = [
  ['web_open', 'url', ''],
  ['open_url', 'url', ''],
  ['fetch', 'id', '?toolsets=chatgpt'],
  ['browser_navigate', 'url', ''],
];

function spellings(rig: Rig): Try[] {
  return SPELLINGS.map(({ name, url }) => ({
    name: `${JSON.stringify(name)} through the reader and the browser`,
    run: async () => {
      let opened: string | null = null;
      const problem = await quiet(rig, async () => {
        const answers: Answer[] = [];
        for (const port of rig.traps.ports.slice(0, 2)) {
          for (const [tool, field, query] of TOOLS) {
            const answer = await rig.bob.caller.call(tool, { [field]: url(port) }, query);
            // about:blank is the one address without a site that a browser may show.
            if (!answer.isRefused && name !== 'about:blank') opened = `${tool} opened it`;
            if (/Error internal/.test(answer.text)) opened = `${tool} answers with an internal error`;
            answers.push(answer);
          }
        }
        return answers;
      });
      return problem ?? opened;
    },
  }));
}

/** The gate itself, with a resolver that returns any address. */
function names(): Try[] {
  const policy = netPolicy(parseConfig({}), ['localhost']);
  const opens = (answers: readonly string[]) =>
    checkUrl(
      'https://looks-public.acme.dev/',
      { policy, resolve: async () => answers },
      AbortSignal.timeout(1_000),
    ).then(
      () => true,
      () => false,
    );
  return [
    {
      name: 'control: a public answer is let through',
      run: async () => ((await opens(['93.184.215.14'])) ? null : 'it is refused'),
    },
    ...DNS_ANSWERS.map((answers) => ({
      name: `a name that leads to [${answers.join(', ')}]`,
      run: async () => ((await opens(answers)) ? 'it is let through' : null),
    })),
    {
      name: 'a name that answers differently a moment later',
      run: async () => {
        let asked = 0;
        const resolve = async () => ((asked += 1) === 1 ? ['93.184.215.14'] : ['127.0.0.1']);
        const look = () => checkUrl('https://looks-public.acme.dev/', { policy, resolve }, AbortSignal.timeout(1_000));
        await look();
        return look().then(
          () => 'the second look is let through',
          () => null,
        );
      },
    },
  ];
}

/** Ways that can reach another site if nothing forbids it. The other ways would, too. */
const OPEN_WAYS = [
  'redirect 302',
  'meta refresh',
  'browser: iframe',
  'browser: image',
  'browser: fetch',
  'browser: form',
];

function arrives(rig: Rig): Try {
  return {
    name: 'control: to a site that may be opened, these ways lead',
    run: async () => {
      for (const way of WAYS.filter(({ name }) => OPEN_WAYS.includes(name))) {
        const before = rig.other.requests.length;
        const laid = way.lay(rig.other.host, rig);
        if (typeof laid !== 'string') return `${way.name} is no page`;
        await rig.bob.caller.call('browser_navigate', { url: laid });
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        if (rig.other.requests.length === before) return `${way.name} does not`;
      }
      return null;
    },
  };
}

const SETTLE_MS = 250;

function viaPage(rig: Rig, { name, lay, live = false, click }: Way): Try {
  return {
    name,
    run: () =>
      quiet(
        rig,
        async () => {
          const answers: Answer[] = [];
          for (const port of rig.traps.ports.slice(0, 2)) {
            const laid = lay(`127.0.0.1:${port}`, rig);
            if (typeof laid !== 'string') {
              answers.push(await rig.bob.caller.call(laid.tool, laid.args));
              continue;
            }
            if (live) {
              answers.push(await rig.bob.caller.call('browser_navigate', { url: laid }));
              if (click !== undefined) answers.push(await rig.bob.caller.call('browser_click', { selector: click }));
            } else {
              for (const mode of ['readable', 'rendered'])
                answers.push(await rig.bob.caller.call('web_open', { url: laid, mode, refresh: true }));
            }
          }
          return answers;
        },
        live ? SETTLE_MS : 0,
      ),
  };
}
