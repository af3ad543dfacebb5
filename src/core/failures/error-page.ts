/** A tab in which the browser shows its error page, because a document did not load. */
export type ErrorPage = { session: string; tab: string; canGoBack: boolean };

export function describeErrorPage({ session, tab, canGoBack }: ErrorPage): string {
  const shown = `Tab ${tab} shows the browser's error page.`;
  const where = { ...(session === 'default' ? {} : { session }), ...(tab === 't1' ? {} : { tab }) };
  return canGoBack
    ? `${shown} To return to the page before it, call browser_navigate ${JSON.stringify({ history: 'back', ...where })}.`
    : `${shown} To open another page there, call browser_navigate with its url.`;
}
