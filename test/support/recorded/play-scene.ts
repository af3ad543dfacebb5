import type { LivePage } from './live-page.ts';
import { isSame } from './recording.ts';
import type { Action, Scene, State } from './recording.ts';
import { Recorder } from './recorder.ts';

/**
 * Repeats on a page everything that was done when it was recorded.
 * @param open opens the page again
 * @returns Chromium's current answers. They equal the recorded scene as long as the page, our scripts in it and
 * Chromium are the same
 */
export async function playScene(recorded: Scene, open: (url: string) => Promise<LivePage>): Promise<Scene> {
  const now: Scene = { url: recorded.url, site: recorded.site, states: [] };
  for (const state of recorded.states) {
    // A state on the way to another one is played together with it.
    if (recorded.states.some((other) => other !== state && isOnTheWay(state.actions, other.actions))) continue;
    const recorder = await Recorder.start(await open(recorded.url), now);
    for (const passed of recorded.states.filter(({ actions }) => isOnTheWay(actions, state.actions))) {
      const action = passed.actions.at(-1);
      if (action !== undefined) await recorder.ask(action);
      await askAll(recorder, passed);
    }
  }
  const order = (one: State) => recorded.states.findIndex(({ actions }) => isSame(actions, one.actions));
  now.states.sort((one, other) => order(one) - order(other));
  return now;
}

function isOnTheWay(actions: readonly Action[], others: readonly Action[]): boolean {
  return isSame(actions, others.slice(0, actions.length));
}

/** Commands whose answers differ when repeated are repeated after all others. */
async function askAll(recorder: Recorder, { entries }: State): Promise<void> {
  const most = Math.max(...entries.map(({ answers }) => answers.length));
  for (let time = 0; time < most; time += 1) {
    for (const { command, answers } of entries) if (time < answers.length) await recorder.ask(command);
  }
}
