import { fail } from '#core/failures/failure.ts';
import { canonicalizeUrl, safeUrl } from '#net/fetch/canonical-url.ts';
import { forbidsAiInput } from '#net/robots/content-signals.ts';
import type { OpenResult, OpenPageDeps } from '#reading/opened.ts';
import type { ReaderDeps } from '#reading/reader.ts';

/**
 * For what opens addresses that nobody may have looked at: refuses a page to which a search led, when its site asks not to
 * feed its pages to AI models. An address that a call names for another reason is opened, with a note.
 * @throws {PeriscopeError} `content_signal_disallowed`
 */
export async function refuseSearched(
  { snapshot, shownUrl }: Pick<OpenResult, 'snapshot' | 'shownUrl'>,
  requestedUrl: string,
  { client, net }: Pick<OpenPageDeps, 'net'> & Pick<ReaderDeps, 'client'>,
): Promise<void> {
  const { preferences } = snapshot.meta;
  if (!net.policy.respectSignals || preferences === undefined || !forbidsAiInput(preferences)) return;
  const addresses = [canonicalizeUrl(requestedUrl), shownUrl].map((address) => address.replace(/#.*$/s, ''));
  if ((await client.listed(addresses)).length > 0) fail({ code: 'content_signal_disallowed', url: safeUrl(shownUrl) });
}
