import type { RuleLevel } from '#core/site-rules.ts';
import { declare } from './declare.ts';

type BlockedByRule = {
  /** Site of the rule, or host of the page for a default level; empty for a page without one. */
  site: string;
  level: RuleLevel;
  by: 'owner' | 'person';
  effect: string;
  /** The page on which the rule can be changed, added by the HTTP layer. */
  page?: string | undefined;
};

export const RULE_FAILURES = {
  blocked_by_rule: declare<BlockedByRule>({
    message: (failure) => `A rule of ${OF[failure.by]} ${rule(failure)}. The call was refused.`,
    advice: (failure) => [
      `${instead(failure)} ${failure.by === 'owner' ? 'Only the owner of this server can change the rule,' : 'The user can change the rule'} at ${failure.page ?? RULES_PAGE}.`,
      { site: failure.site, level: failure.level, set_by: failure.by === 'owner' ? 'owner' : 'user' },
    ],
    texts: { site: 'page', level: 'ours', by: 'ours', effect: 'ours', page: 'ours' },
  }),
};

const OF = { owner: 'the owner of this server', person: 'the user' } as const;
const RULES_PAGE = '/console/rules on this server';

function rule({ site, level, effect }: BlockedByRule): string {
  const pages = site === '' ? 'pages without a site' : site;
  if (level === 'block') return `blocks ${pages} for models`;
  if (level === 'ask' && effect === 'script')
    return `requires the user's consent for actions on ${pages}, so scripts are refused there`;
  return `lets models only look at ${pages}: no clicks, keys, fields, uploads, scripts or accepted dialogs`;
}

function instead({ site, level }: BlockedByRule): string {
  if (level === 'block')
    return `Use another ${site.includes('/') ? 'page or site' : 'site'}. If a tab shows this one, open another page there or close the tab.`;
  if (level === 'ask') return 'Use the other browser tools.';
  return 'Viewing, reading, scrolling, hovering and browser_navigate work there. For more, ask the user to do it: call browser_handoff.';
}
