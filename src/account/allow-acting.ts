import { addRule, parseSite, decideRule, SITE_RULES_MAX } from '#core/site-rules.ts';
import { EVERYONE_SUBJECT } from '#storage/site-rules.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';
import { isRepeatableCall } from '#browsing/port.ts';
import { isSharedSession } from '#browsing/session/session-name.ts';
import { deploymentPart } from '#client/deployment/deployment.ts';
import { objectNamed } from '#core/objects.ts';

/**
 * Saves the rule that models may act on a page and the pages below it. Stricter rules for some of these pages stay.
 * @param tell applies the rules to running sessions
 * @returns the reason if the owner's rules or another rule of the user prevent this, if the rule cannot be saved, or if
 * it is saved but a running session could not be reached; `null` on success
 */
export async function saveActRule(
  store: SiteRuleStore,
  subject: string,
  page: string,
  tell: (subject: string) => Promise<boolean>,
): Promise<string | null> {
  const { host = '', pathname = '' } = URL.parse(page) ?? {};
  const site = parseSite(host.replace(/:\d+$/u, '') + pathname);
  if (typeof site === 'string') return UNNAMABLE;
  const [own, everyone] = await Promise.all([store.read(subject), store.read(EVERYONE_SUBJECT)]);
  if (decideRule({ owner: everyone, people: [] }, page).level !== 'act')
    return 'A rule of the owner asks first on this page, and yours cannot change that. Answer for once or for this session.';
  const rule = { ...site, level: 'act' as const };
  const added = addRule(own.rules, rule);
  if (added === null) return `You have ${SITE_RULES_MAX} rules, the most there may be. Delete one first.`;
  const changed = { ...own, rules: added.rules };
  if (decideRule({ owner: everyone, people: [changed] }, page).level !== 'act') {
    const alone = { rules: [rule], fallback: 'block' as const };
    return decideRule({ owner: everyone, people: [alone] }, page).level === 'act' ? OTHER_FIRST : UNNAMABLE;
  }
  await store.save(subject, changed);
  return (await tell(subject))
    ? null
    : 'The rule is saved, but a running session could not be reached. Answer for once as well.';
}

/**
 * Message for pages that no rule can cover reliably, such as `/my%20cart`, because lenient servers read the path in
 * another way.
 */
const UNNAMABLE = 'No rule can name this page. Answer for once or for this session.';
const OTHER_FIRST =
  'Another of your rules for this page comes first. Change the order under “Rules”, or answer for once or for this session.';

/**
 * Applies saved rules to the running sessions that they bind. A session without a browser loads them when it wakes.
 * @param subject person whose rules were saved; `null` for the owner's rules, which bind every session
 * @returns true if all these sessions now use the rules
 */
export async function applyRulesToOpenSessions(
  env: Pick<Env, 'BROWSER_SESSION' | 'DEPLOYMENT'>,
  subject: string | null,
): Promise<boolean> {
  const open = await deploymentPart(env, 'sessions').list(null);
  const bound = open.filter((one) => subject === null || one.subject === subject || isSharedSession(one.name));
  const told = bound.map(({ key }) => objectNamed(env.BROWSER_SESSION, key, isRepeatableCall).rulesChanged());
  return (await Promise.allSettled(told)).every(({ status }) => status === 'fulfilled');
}
