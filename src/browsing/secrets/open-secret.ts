import { fail } from '#core/failures/failure.ts';
import type { SecretReference } from '#core/secrets/secret-facts.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { SessionSecrets } from './session-secrets.ts';
import { addressesAround, haveSameSite, isReached, shownOrComing } from './session-sites.ts';
import type { SecretText } from './type-secret.ts';

/** Where a call types a secret. */
type Typing = { active: { secrets: SessionSecrets; tabs: Pick<OpenTabs, 'all'> }; tab: OpenTab; signal: AbortSignal };

/**
 * Opens a secret for a field. From here on the sites of its document and of those around it count as typed at, so no script
 * of a model runs there or in a window that opened this one or was opened by it, and what fields of the document hold is not told.
 * @throws {PeriscopeError} `unknown_secret`, `secret_refused`
 */
export async function openSecret(
  { active: { secrets, tabs }, tab, signal }: Typing,
  reference: SecretReference,
  element: PageElement,
): Promise<SecretText> {
  const secret = await secrets.open(reference, element, signal);
  const addresses = addressesAround(element.frame, (id) => tab.frame(id));
  const isInReach = tabs.all().some((one) => isReached(one) && haveSameSite(addresses, shownOrComing(one)));
  if (secrets.sites.isScripted(addresses) || tab.windows.isScripted || isInReach) {
    fail({ code: 'secret_refused', name: secret.name, reason: 'script', sites: secret.sites, by: 'browser_evaluate' });
  }
  await secrets.sites.noteTyped(addresses);
  tab.typedIn.add(element.frame.loaderId);
  tab.windows.noteTyped(tab.targetId);
  return secret;
}
