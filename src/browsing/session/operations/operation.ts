import type { TextOrigins } from '#core/text/page-texts.ts';
import type { Caller, Reply } from '#browsing/session/answers.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { Work } from './perform.ts';
import type { SessionFiles } from './session-files.ts';

type Traits = {
  /** Opens a browser if the session has none. */
  opens: boolean;
  /** May change the page, so the session is saved afterwards. */
  changes: boolean;
  /** The step in the person's history. Operations that do not act have none; the others are refused while a person drives. */
  did?: string;
  /** Its result reports events and changes since the last one. */
  reports: boolean;
  /** May run twice, if the browser or the object ends during the call. */
  repeatable: boolean;
  /** Longest duration of a call, waiting included; the session's default if not given. */
  msMax?: number;
};

export const LOOKS = { opens: false, changes: false, reports: true, repeatable: true } as const;
export const ACTS = { opens: false, changes: true, reports: true, repeatable: false } as const;

/** The parts of a session that operations use besides its browser. */
export type SessionOfCall = {
  caller: Caller;
  /** The session existed before this call. */
  existed: boolean;
  files: SessionFiles;
  pageBytesMax: number;
  saveSettings: (settings: TabSettings) => Promise<void>;
  isDrivenByPerson: () => boolean;
};

/** One kind of call to a session. `Reported`: the result with what the report adds. */
export type Operation<Input, Result, Reported = Result> = Traits & {
  /** Texts of the result that come from the page. Secrets are masked in those only. */
  origins: TextOrigins<Result>;
  /** Called before the call waits for its turn. */
  begin: (input: Input) => BegunCall<Result, Reported>;
};

type BegunCall<Result, Reported> = {
  run: (work: Work, session: SessionOfCall) => Promise<Result>;
  /** Adds to the reply how far the call got, also when it failed or never ran. */
  report: (reply: Reply<Result>) => Reply<Reported>;
};

/** A call that has begun, with what its operation declares. */
export type BegunOperation<Result> = Traits &
  Pick<Operation<never, Result>, 'origins'> &
  Pick<BegunCall<Result, Result>, 'run'> & { name: string; endAt: number };

type Declared<Input, Result> = Traits & {
  origins: TextOrigins<NoInfer<Result>>;
  run: (work: Work, input: Input, session: SessionOfCall) => Promise<Result>;
};

export function operation<Input, Result>({ run, ...declared }: Declared<Input, Result>): Operation<Input, Result> {
  return {
    ...declared,
    begin: (input) => ({ run: (work, session) => run(work, input, session), report: (reply) => reply }),
  };
}
