import type { Player } from './player.ts';

/** A user's task in an application, and the check of its result. */
export type Task = {
  name: string;
  /** The library or application under test. */
  app: string;
  /** Path of the page. */
  page: string;
  /** Plays the task with the tools' answers only. Returns the user's report, if the task asks for one. */
  play: (player: Player, url: string) => Promise<string | void>;
  /** An expression of `s`, the application's data (`window.state()` or from its server), and `a`, the report. */
  isDone: string;
};
