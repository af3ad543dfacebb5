/** Chromium's answers for one page of a test, in every state that the test brought it into. */
export type Scene = {
  url: string;
  /** Documents of the site by address, including frames. */
  site: Record<string, string>;
  states: State[];
};

export type State = {
  /** Actions on the page since it was opened. */
  actions: Action[];
  /** The result of the last action. */
  gave: Answer;
  frames: FrameRow[];
  entries: Entry[];
};

export type FrameRow = [id: string, parentId: string | null, loaderId: string, url: string, session: string];

/** A DevTools command. `session` is that of its frame. Ids are numbered in the order of the page. */
export type Command = [session: string, method: string, params: unknown];
export type Action = Command;
export type Answer = { gives: unknown } | { refused: string };
/** Several answers if a later one differs; the last one is final. */
export type Entry = { command: Command; answers: Answer[] };

/** One line for each page, state and command, so that one changed command changes one line. */
export function writeScenes(scenes: readonly Scene[]): string {
  const lines = scenes.flatMap(({ url, site, states }) => [
    { page: url, site },
    ...states.flatMap(({ actions, gave, frames, entries }) => [
      actions.length === 0 ? { frames } : { after: actions, gave, frames },
      ...entries.map(({ command, answers }) => [...command, ...answers]),
    ]),
  ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

type Line =
  | { page: string; site: Record<string, string> }
  | { after?: Action[]; gave?: Answer; frames: FrameRow[] }
  | [...Command, ...Answer[]];

export function readScenes(text: string): Scene[] {
  const scenes: Scene[] = [];
  for (const written of text.split('\n')) {
    if (written === '') continue;
    const line: Line = JSON.parse(written);
    if ('page' in line) scenes.push({ url: line.page, site: line.site, states: [] });
    else if ('frames' in line) {
      const { after = [], gave = { gives: {} }, frames } = line;
      scenes.at(-1)?.states.push({ actions: after, gave, frames, entries: [] });
    } else {
      const [session, method, params, ...answers] = line;
      scenes
        .at(-1)
        ?.states.at(-1)
        ?.entries.push({ command: [session, method, params], answers });
    }
  }
  return scenes;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function stateAfter({ states }: Scene, actions: readonly Action[]): State | undefined {
  return states.find((state) => isSame(state.actions, actions));
}

export function entryOf({ entries }: State, command: Command): Entry | undefined {
  return entries.find((entry) => isSame(entry.command, command));
}

/** Commands that read a page and change nothing. Every other command leads to another state. */
const READS: ReadonlySet<string> = new Set([
  'Accessibility.getFullAXTree',
  'Accessibility.getPartialAXTree',
  'Accessibility.queryAXTree',
  'DOM.describeNode',
  'DOM.getBoxModel',
  'DOM.getFrameOwner',
  'DOM.resolveNode',
  'DOMDebugger.getEventListeners',
  'Runtime.callFunctionOn',
  'Runtime.getProperties',
]);

export function isRead([, method]: Command): boolean {
  return READS.has(method);
}

/** Frees memory in Chromium and returns nothing. */
export const IGNORED = 'Runtime.releaseObjectGroup';
