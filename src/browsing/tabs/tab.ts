import type { OpenTab } from './open-tab.ts';

/** One page of a session, as everything that works on a page takes it. */
export type Tab = Pick<
  OpenTab,
  'id' | 'targetId' | 'session' | 'frames' | 'main' | 'frame' | 'world' | 'document' | 'pageContext' | 'sizes'
> & {
  readonly typedIn: ReadonlySet<string>;
};
