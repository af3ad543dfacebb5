import type { TextOrigins } from '#core/text/page-texts.ts';
import type { Caller, Reply } from '#browsing/session/replies.ts';
import type { CallEffect } from '#browsing/rules/page-rules.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { OperationWork } from './perform.ts';
import type { SessionFiles } from './session-files.ts';

type Traits = {
  opens: boolean;
  /** True if the operation may change the page. The session is then saved afterwards. */
  changes: boolean;
  /**
   * Name of the step in the session history. Absent for read-only operations. Operations with a name are refused while
   * a person drives.
   */
  did?: string;
  reports: boolean;
  /** True if the operation may safely run again after the browser or the session object ended during the call. */
  repeatable: boolean;
  /**
   * Time limit of one call, including its time in the queue. By default, a call may run for `SESSION_CALL_MS_MAX` after
   * its time in the queue.
   */
  msMax?: number;
};

export const READ_ONLY_TRAITS = {
  effect: 'look',
  opens: false,
  changes: false,
  reports: true,
  repeatable: true,
} as const;
export const ACTING_TRAITS = { opens: false, changes: true, reports: true, repeatable: false } as const;

export type OperationSession = {
  caller: Caller;
  existed: boolean;
  files: SessionFiles;
  pageBytesMax: number;
  saveSettings: (settings: TabSettings) => Promise<void>;
  isDrivenByPerson: () => boolean;
};

/** One kind of call to a session. `Reported`: the result including the progress that `report` adds. */
export type Operation<Input, Result, Reported = Result> = Traits & {
  /** Origin of each text in the result: `page` or `ours`. Secrets are masked only in page text. */
  origins: TextOrigins<Result>;
  /** Effect for which the site rules are checked: on the page before the call, and on each element and input event. */
  effect: CallEffect | ((input: Input) => CallEffect);
  begin: (input: Input) => BegunCall<Result, Reported>;
};

type BegunCall<Result, Reported> = {
  run: (work: OperationWork, session: OperationSession) => Promise<Result>;
  /** Adds the progress of the call to its reply, even if the call failed or never ran. */
  report: (reply: Reply<Result>) => Reply<Reported>;
};

export type StartedOperation<Result> = Traits &
  Pick<Operation<never, Result>, 'origins'> &
  Pick<BegunCall<Result, Result>, 'run'> & { name: string; effect: CallEffect; endAt: number };

type Declared<Input, Result> = Traits & {
  origins: TextOrigins<NoInfer<Result>>;
  effect: CallEffect | ((input: Input) => CallEffect);
  run: (work: OperationWork, input: Input, session: OperationSession) => Promise<Result>;
};

export function declareOperation<Input, Result>({
  run,
  ...declared
}: Declared<Input, Result>): Operation<Input, Result> {
  return {
    ...declared,
    begin: (input) => ({ run: (work, session) => run(work, input, session), report: (reply) => reply }),
  };
}
