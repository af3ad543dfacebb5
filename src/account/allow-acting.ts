import { parseSite, ruleFor, SITE_RULES_MAX } from '#core/site-rules.ts';
import { EVERYONE } from '#storage/site-rules.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';

/**
 * Saves the rule that models may act on a page and below, as the first of the person's rules.
 * @param tell applies the rules to running sessions
 * @returns the reason if the owner's rules forbid this, or if the rule cannot be saved
 */
export async function allowActing(
  store: SiteRuleStore,
  subject: string,
  page: string,
  tell: (subject: string) => Promise<boolean>,
): Promise<string | null> {
  const { host = '', pathname = '' } = URL.parse(page) ?? {};
  const site = parseSite(host.replace(/:\d+$/u, '') + pathname);
  if (typeof site === 'string') return 'No rule can name this page. Answer for once or for this session.';
  const [own, everyone] = await Promise.all([store.read(subject), store.read(EVERYONE)]);
  if (ruleFor({ owner: everyone, people: [] }, page).level !== 'act')
    return 'A rule of the owner asks first on this page, and yours cannot change that. Answer for once or for this session.';
  const others = own.rules.filter((rule) => rule.host !== site.host || rule.path !== site.path);
  if (others.length >= SITE_RULES_MAX)
    return `You have ${SITE_RULES_MAX} rules, the most there may be. Delete one first.`;
  await store.save(subject, { ...own, rules: [{ ...site, level: 'act' }, ...others] });
  return (await tell(subject))
    ? null
    : 'The rule is saved, but a running session could not be reached. Answer for once as well.';
}
