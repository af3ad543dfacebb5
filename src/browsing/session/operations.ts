import { takeSnapshot } from '#browsing/snapshot/snapshot.ts';
import type { Snapshot, SnapshotOptions } from '#browsing/snapshot/snapshot.ts';
import { navigate } from './navigate.ts';
import type { Navigated, WaitUntil } from './navigate.ts';
import type { Work } from './perform.ts';

/** What the tools ask of a session, each one screen: find the element, act, say what came of it. */

export type NavigateInput = { url: string; waitUntil: WaitUntil; timeoutMs: number };

export function navigateTab({ tab, signal }: Work, { url, ...options }: NavigateInput): Promise<Navigated> {
  return navigate(tab, url, options, signal);
}

export type SnapshotInput = SnapshotOptions;

export function snapshot(work: Work, input: SnapshotInput): Promise<Snapshot> {
  return takeSnapshot(tabsOf(work), work.live.refs, input, work.signal);
}

function tabsOf({ tab, live }: Work) {
  return { tab, byId: (id: string) => live.tabs.byId(id) };
}
