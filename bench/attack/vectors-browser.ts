import { always, inOurVoice } from './oracle.ts';
import { BREAKING, DECEIVING } from './pages-live.ts';
import type { Page } from './pages-live.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import type { Answer } from './wire.ts';

/** Pages that try to deceive or break the model that drives them. */
export async function browserVectors(rig: Rig): Promise<Part> {
  const all = [...DECEIVING, ...BREAKING];
  return { name: 'pages against the browser', tries: [...all.map((page) => tryOf(rig, page)), isolated(rig)] };
}

const CALL_MS_MAX = 45_000;
const SESSION = 'hostile';
let count = 0;

function tryOf(rig: Rig, page: Page): Try {
  return {
    name: page.name,
    run: async () => {
      const url = rig.site.page(`/hostile/${(count += 1)}`, page.body, page.headers);
      const calls: [string, Record<string, unknown>][] = [
        ['browser_navigate', { url }],
        ...(page.click === undefined
          ? []
          : [['browser_click', { selector: page.click }] satisfies [string, Record<string, unknown>]]),
        ['browser_snapshot', {}],
        ...(page.also ?? []).map(([tool, args]): [string, Record<string, unknown>] => [tool, args]),
      ];
      for (const [tool, args] of calls) {
        const from = performance.now();
        const answer = await rig.ana.caller.call(tool, { ...args, session: SESSION });
        const ms = performance.now() - from;
        const problem = ms > CALL_MS_MAX ? `${tool} took ${(ms / 1_000).toFixed(0)} s` : problemOf(answer);
        if (problem !== null) return afresh(rig, `${tool}: ${problem}`);
      }
      const problem = await stillWorks(rig);
      return problem === null && page.opensTabs !== true ? null : afresh(rig, problem);
    },
  };
}

function problemOf(answer: Answer): string | null {
  return always(answer) ?? inOurVoice(answer, 'zxqinject');
}

/** Removes what a page left behind before the next try. */
async function afresh<T>(rig: Rig, outcome: T): Promise<T> {
  await rig.ana.caller.call('browser_close', { session: SESSION });
  return outcome;
}

/** Checks that the next page can be read after any page. */
async function stillWorks(rig: Rig): Promise<string | null> {
  const url = rig.site.page('/calm', '<title>Calm</title><h1>Calm</h1><p>zxqcalm after the storm</p>');
  const went = await rig.ana.caller.call('browser_navigate', { url, session: SESSION, dialog: 'accept' });
  const seen = await rig.ana.caller.call('browser_snapshot', { session: SESSION });
  if (seen.text.includes('zxqcalm')) return null;
  const bad = went.isRefused ? went : seen;
  return `afterwards the session shows no other page: ${(bad.text || bad.body).slice(0, 150)}`;
}

function isolated({ ana, bob }: Rig): Try {
  return {
    name: 'after all that, another person’s browser answers',
    run: async () => {
      const answer = await bob.caller.call('browser_launch', {});
      await ana.caller.call('browser_close', { session: SESSION });
      return answer.isError ? answer.text.slice(0, 100) : null;
    },
  };
}
