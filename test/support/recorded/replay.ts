import { entryOf, isRead, stateAfter } from './recording.ts';
import type { Answer, Command, Entry, FrameRow, Scene, State } from './recording.ts';
import type { PageSource } from './recorded-tab.ts';

/** Answers as Chromium did when the page was recorded. */
export class Replay implements PageSource {
  readonly #scene: Scene;
  #state: State;
  readonly #asked = new Map<Entry, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#state = stateOf(scene, []);
  }

  frames(): readonly FrameRow[] {
    return this.#state.frames;
  }

  async ask(command: Command): Promise<Answer> {
    if (!isRead(command)) {
      this.#state = stateOf(this.#scene, [...this.#state.actions, command]);
      return this.#state.gave;
    }
    const entry = entryOf(this.#state, command);
    if (entry === undefined) throw new NotRecorded(`${JSON.stringify(command)} on ${this.#scene.url}`);
    const times = this.#asked.get(entry) ?? 0;
    this.#asked.set(entry, times + 1);
    return entry.answers[Math.min(times, entry.answers.length - 1)] ?? { refused: 'nothing is recorded' };
  }
}

function stateOf(scene: Scene, actions: readonly Command[]): State {
  const state = stateAfter(scene, actions);
  if (state === undefined) throw new NotRecorded(`${scene.url} after ${JSON.stringify(actions)}`);
  return state;
}

export class NotRecorded extends Error {
  constructor(missing: string) {
    super(`${missing} is not recorded. Run npm run record-pages.`);
  }
}
