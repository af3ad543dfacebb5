import type { LivePage } from './live-page.ts';
import { entryOf, isRead, isSame, stateAfter } from './recording.ts';
import type { Answer, Command, Entry, FrameRow, Scene, State } from './recording.ts';
import type { PageSource } from './recorded-tab.ts';

/** Answers from Chromium and records the answers. Tests of the same page share its scene. */
export class Recorder implements PageSource {
  readonly #page: LivePage;
  readonly #scene: Scene;
  #state: State;
  readonly #asked = new Map<Entry, number>();

  private constructor(page: LivePage, scene: Scene, state: State) {
    this.#page = page;
    this.#scene = scene;
    this.#state = state;
  }

  static async start(page: LivePage, scene: Scene): Promise<Recorder> {
    return new Recorder(page, scene, noteState(scene, [], { gives: {} }, await page.start()));
  }

  frames(): readonly FrameRow[] {
    return this.#state.frames;
  }

  async ask(command: Command): Promise<Answer> {
    if (!isRead(command)) return this.#act(command);
    const entry = entryOf(this.#state, command) ?? { command, answers: [] };
    if (!this.#state.entries.includes(entry)) this.#state.entries.push(entry);
    const time = this.#asked.get(entry) ?? 0;
    this.#asked.set(entry, time + 1);
    const answer = await this.#page.ask(command, placeOf(this.#state, entry));
    noteAnswer(entry, time, answer);
    return answer;
  }

  async #act(action: Command): Promise<Answer> {
    const gave = await this.#page.ask(action, '');
    this.#state = noteState(this.#scene, [...this.#state.actions, action], gave, await this.#page.look());
    return gave;
  }
}

/** Names a command by the actions so far and its index among the commands. */
function placeOf({ actions, entries }: State, entry: Entry): string {
  return `${actions.length}.${entries.indexOf(entry)}`;
}

function noteState(scene: Scene, actions: Command[], gave: Answer, frames: FrameRow[]): State {
  const known = stateAfter(scene, actions);
  if (known !== undefined) {
    if (isSame([known.gave, known.frames], [gave, frames])) return known;
    throw new Error(`${scene.url} is not the same each time after ${JSON.stringify(actions)}`);
  }
  const state = { actions, gave, frames, entries: [] };
  scene.states.push(state);
  return state;
}

/** The last answer also serves all later requests. */
function noteAnswer({ command, answers }: Entry, time: number, answer: Answer): void {
  const last = answers.at(-1);
  const known = answers[time] ?? last;
  if (known !== undefined && isSame(known, answer)) return;
  if (time < answers.length) throw new Error(`what ${JSON.stringify(command)} gives is not the same each time`);
  const missing = last === undefined ? [] : Array.from({ length: time - answers.length }, () => last);
  answers.push(...missing, answer);
}
