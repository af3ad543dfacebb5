import { fail } from '#core/failures/failure.ts';
import { canonicalizeUrl, redactForFailure } from '#net/fetch/canonical-url.ts';
import { forbidsAiInput } from '#net/robots/content-signals.ts';
import type { OpenResult, OpenPageDeps } from './opened.ts';
import type { ReaderDeps } from './reader.ts';

/**
 * Refuses a page that a search found, if its site asks not to feed pages to AI models. Used by calls that open URLs
 * which the user may not have chosen. Other pages of such a site are opened with a note.
 * @throws {PeriscopeError} `content_signal_disallowed`
 */
export async function refuseHitIfAiDisallowed(
  { snapshot, shownUrl }: Pick<OpenResult, 'snapshot' | 'shownUrl'>,
  requestedUrl: string,
  { client, net }: Pick<OpenPageDeps, 'net'> & Pick<ReaderDeps, 'client'>,
): Promise<void> {
  const { preferences } = snapshot.meta;
  if (!net.policy.respectSignals || preferences === undefined || !forbidsAiInput(preferences)) return;
  const addresses = [canonicalizeUrl(requestedUrl), shownUrl].map((address) => address.replace(/#.*$/s, ''));
  if ((await client.listed(addresses)).length > 0)
    fail({ code: 'content_signal_disallowed', url: redactForFailure(shownUrl) });
}
