import { fail } from '#core/errors.ts';
import type { SecretReference } from '#core/secret-facts.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { isHeard } from '#browsing/tabs/within-reach.ts';
import type { SessionSecrets } from './session-secrets.ts';
import type { SecretText } from './type-secret.ts';

/** Where a call types a secret. */
type Typing = { live: { secrets: SessionSecrets; tabs: Pick<OpenTabs, 'all'> }; tab: OpenTab; signal: AbortSignal };

/**
 * Opens a secret for a field. From here on the document counts as typed in: what its fields hold is not told, and no script
 * runs in it.
 * @throws {PeriscopeError} `unknown_secret`, `secret_refused`
 */
export async function openSecret(
  { live, tab, signal }: Typing,
  reference: SecretReference,
  element: PageElement,
): Promise<SecretText> {
  const secret = await live.secrets.open(reference, element, signal);
  if (isHeard(tab, live.tabs.all())) {
    fail({ code: 'secret_refused', name: secret.name, reason: 'script', sites: secret.sites });
  }
  tab.typedIn.add(element.frame.loaderId);
  return secret;
}
