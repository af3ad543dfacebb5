import type { ErrorPage } from '#core/failures/error-page.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';

/** The browser's error page in a tab; `null` if the tab shows another page or is closed. */
export async function findErrorPage(session: string, tab: OpenTab): Promise<ErrorPage | null> {
  if (!tab.isOpen || tab.main().isError !== true) return null;
  const history = await resolveWithin(
    tab.session.send('Page.getNavigationHistory').catch(ignoreTargetGone),
    LEAVE_MS_MAX,
  );
  const before = history?.entries[history.currentIndex - 1]?.url ?? '';
  return { session, tab: tab.id, canGoBack: !isBlankUrl(before) };
}

/**
 * Adds the error page of the tab to a failure, because a failure has no session state in which it could be reported.
 */
export async function addErrorPage(error: unknown, session: string, tab: OpenTab): Promise<unknown> {
  if (!(error instanceof PeriscopeError)) return error;
  const errorPage = await findErrorPage(session, tab);
  return errorPage === null ? error : new PeriscopeError({ ...error.failure, errorPage }, { cause: error });
}
