import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { addRule, CHOSEN_LEVELS, moveRule, parseSite, SITE_RULES_MAX, siteText } from '#core/site-rules.ts';
import type { RuleLevel, RuleList, SiteRule } from '#core/site-rules.ts';
import { PATHS } from '#core/paths.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';
import { EVERYONE } from '#storage/site-rules.ts';
import { fieldOf, page } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { consoleVisitor, continueTo, parseNumber, requireSignIn, withVerifiedForm } from './console.tsx';
import type { ConsoleDeps } from './console.tsx';
import { LEVEL_WORDS, Rules } from './rule-lists.tsx';
import type { Scope } from './rule-lists.tsx';

export type RulePagesDeps = ConsoleDeps & {
  rules: () => SiteRuleStore;
  /**
   * Applies the rules to running sessions.
   * @param subject `null` for the owner's rules
   * @returns false if a session did not receive the rules
   */
  tell: (subject: string | null) => Promise<boolean>;
  /** Adds a line to the person's activity. */
  note: (subject: string, words: string) => Promise<void>;
};

type Problem = { text: string; field?: string; status: 400 | 404 | 409 | 503 };

/** `/console/rules`: rules for what models may do on which sites. The owner also edits the rules that bind everyone. */
export function rulePages(deps: RulePagesDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.rules, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.rules, (c) => withVerifiedForm(c, deps, (form, person) => change(c, deps, person, form)));
  return app;
}

async function show(c: Context<Site>, deps: RulePagesDeps, person: SignedIn, problem: Problem | null, sent?: FormData) {
  const store = deps.rules();
  const [own, everyone, visitor] = await Promise.all([
    store.read(person.subject),
    store.read(EVERYONE),
    consoleVisitor(c, deps, person),
  ]);
  const filledIn = (scope: Scope) => (sent === undefined ? '' : fieldOf(sent, `${scope}-site`));
  const placed = { own: parseNumber(c.req.query('own')), everyone: parseNumber(c.req.query('everyone')) };
  return page(c, <Rules {...{ own, everyone, visitor, problem, filledIn, placed }} />, problem?.status ?? 200);
}

async function change(c: Context<Site>, deps: RulePagesDeps, person: SignedIn, form: FormData) {
  const scope: Scope = fieldOf(form, 'for') === 'everyone' ? 'everyone' : 'own';
  if (scope === 'everyone' && !person.owner) return c.notFound();
  const subject = scope === 'everyone' ? EVERYONE : person.subject;
  const list = await deps.rules().read(subject);
  const changed = changedBy(form, scope, list);
  if ('text' in changed) return show(c, deps, person, changed, form);
  await deps.rules().save(subject, changed.list);
  const [isTold] = await Promise.all([
    deps.tell(scope === 'everyone' ? null : person.subject),
    deps.note(person.subject, scope === 'everyone' ? `for everyone: ${changed.words}` : changed.words),
  ]);
  const to = changed.at === undefined ? PATHS.rules : `${PATHS.rules}?${scope}=${changed.at}`;
  return isTold ? continueTo(c, 'ruled', to) : show(c, deps, person, NOT_TOLD);
}

const NOT_TOLD: Problem = {
  text: 'Saved, but a running session could not be reached. End it on the page “Sessions”, or save again.',
  status: 503,
};
const NOT_THERE: Problem = { text: 'That rule has changed in the meantime. Nothing was done.', status: 409 };
const NOT_OURS: Problem = { text: 'This form was not from here. Use the buttons below.', status: 400 };

/** `at`: place of a new rule. */
type Changed = { list: RuleList; words: string; at?: number };

function changedBy(form: FormData, scope: Scope, list: RuleList): Changed | Problem {
  const level = CHOSEN_LEVELS.find((one) => one === fieldOf(form, `${scope}-level`)) ?? null;
  switch (fieldOf(form, 'do')) {
    case 'add':
      return level === null ? NOT_OURS : added(list, level, fieldOf(form, `${scope}-site`), scope);
    case 'default':
      return level === null
        ? NOT_OURS
        : { list: { ...list, fallback: level }, words: `elsewhere: ${LEVEL_WORDS[level]}` };
    case 'everywhere':
      return level === null
        ? NOT_OURS
        : { list: { rules: [], fallback: level }, words: `everywhere: ${LEVEL_WORDS[level]}` };
    case 'delete':
      return ofRule(form, list, (at, rule) => ({
        list: { ...list, rules: list.rules.toSpliced(at, 1) },
        words: `${siteText(rule)}: deleted`,
      }));
    case 'up':
    case 'down': {
      const by = fieldOf(form, 'do') === 'up' ? -1 : 1;
      return ofRule(form, list, (at, rule) => ({
        list: { ...list, rules: moveRule(list.rules, at, by) },
        words: `${siteText(rule)}: moved ${by === -1 ? 'up' : 'down'}`,
      }));
    }
    default:
      return NOT_OURS;
  }
}

function added(list: RuleList, level: RuleLevel, text: string, scope: Scope): Changed | Problem {
  const site = parseSite(text);
  if (typeof site === 'string') return { text: site, field: `${scope}-site`, status: 400 };
  const placed = addRule(list.rules, { ...site, level });
  if (placed === null)
    return { text: `There are ${SITE_RULES_MAX} rules, the most there may be. Delete one first.`, status: 409 };
  const { rules, at } = placed;
  return { list: { ...list, rules }, words: `${siteText(site)}: ${LEVEL_WORDS[level]}`, at };
}

/** Changes one rule. The form names its place and its site, so that an outdated page cannot change another rule. */
function ofRule(form: FormData, list: RuleList, work: (at: number, rule: SiteRule) => Changed): Changed | Problem {
  const at = parseNumber(fieldOf(form, 'at'));
  const rule = at === null ? undefined : list.rules[at];
  if (at === null || rule === undefined || siteText(rule) !== fieldOf(form, 'site')) return NOT_THERE;
  return work(at, rule);
}
