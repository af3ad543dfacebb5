import { resolveTarget } from '#browsing/target/resolve.ts';
import type { TabsOfCall } from '#browsing/target/resolve.ts';
import type { Refs } from '#browsing/refs/refs.ts';
import { takeView } from '#browsing/view/view.ts';
import type { View, ViewOptions } from '#browsing/view/view.ts';

export type ViewPageOptions = ViewOptions & {
  /** A ref or CSS selector: only this element and its content. */
  target?: string | undefined;
};

/**
 * The page of a tab as text with refs, within a budget: see `docs/browser.md`. The same page gives the same text.
 *
 * @throws {PeriscopeError} what `resolveTarget` throws for `target`; `invalid_argument` for an `after` that no longer
 *   fits the page; `timeout` when the page does not answer
 */
export async function viewPage(
  tabs: TabsOfCall,
  refs: Refs,
  { target, ...options }: ViewPageOptions,
  signal: AbortSignal,
): Promise<View> {
  if (target === undefined) return takeView(tabs.tab, refs, null, options, signal);
  const { tab, frame, backendNodeId } = await resolveTarget(target, tabs, refs, signal);
  return takeView(tab, refs, { frameId: frame.id, backendNodeId }, options, signal);
}
