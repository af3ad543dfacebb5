/** Who drives the session. The session itself keeps it, as it outlives pages and calls. */
export type Wheel = {
  /** The page that drives, by the name it gave itself; `isReady` when no call of a model is at work any more. */
  readonly driver: { page: string; isReady: boolean } | null;
  /** What a model asks the person for, in its words. */
  readonly asked: string | null;
  /** The tab that the model asks for; `null` for the first one. */
  readonly askedTab: string | null;
  /**
   * @param person whose page it is
   * @returns why not, in words; `null` when the page drives
   */
  take: (page: string, person: string) => Promise<string | null>;
  give: (page: string) => Promise<void>;
  decline: () => Promise<void>;
  /** The page is there again, or has gone. */
  met: (page: string) => void;
  left: (page: string) => void;
  /** The person did something: the session is in use. */
  used: () => void;
  /** Looks after those who have left for too long. */
  settle: () => Promise<void>;
};
