import type { Player } from './player.ts';

/** What a user does in an application, and how it is told afterwards that it is done. */
export type Task = {
  name: string;
  /** The library or application it is about. */
  app: string;
  /** Path of the page. */
  page: string;
  /** Plays it, reading only what the tools answer; gives what a user would report, if something was asked. */
  play: (player: Player, url: string) => Promise<string | void>;
  /** An expression: `s` is what the application holds (`window.state()` or its server), `a` what was reported. */
  isDone: string;
};
