import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { addRule, SELECTABLE_RULE_LEVELS, moveRule, parseSite, SITE_RULES_MAX, formatSite } from '#core/site-rules.ts';
import type { RuleLevel, SiteRuleList, SiteRule } from '#core/site-rules.ts';
import { PATHS } from '#core/paths.ts';
import { EVERYONE_SUBJECT } from '#storage/site-rules.ts';
import { formText } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { startConsolePage, continueAfterForm, parseNumber, requireSignIn, withVerifiedForm } from './console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import { Actions, Form, FormField, Select } from '#web/parts/form.tsx';
import type { ItemAction, SelectOption, FormInputProblem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry, StateLabel } from '#web/parts/list.tsx';
import { ConsolePage, useVisitor } from './console-page.tsx';

type RuleProblem = FormInputProblem & { status: 400 | 404 | 409 | 503 };

/** `/console/rules`: rules for what models may do on which sites. The owner also edits the rules that bind everyone. */
export function rulePages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.rules, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.rules, (c) => withVerifiedForm(c, deps, (form, person) => change(c, deps, person, form)));
  return app;
}

async function show(
  c: Context<SiteEnv>,
  deps: SiteDeps,
  person: SignedIn,
  problem: RuleProblem | null,
  sent?: FormData,
) {
  const store = deps.stores().siteRules;
  const respond = startConsolePage(c, deps, person);
  const [own, everyone] = await Promise.all([store.read(person.subject), store.read(EVERYONE_SUBJECT)]);
  const filledIn = (scope: Scope) => (sent === undefined ? '' : formText(sent, `${scope}-site`));
  const placed = { own: parseNumber(c.req.query('own')), everyone: parseNumber(c.req.query('everyone')) };
  return respond(<Rules {...{ own, everyone, problem, filledIn, placed }} />, problem?.status ?? 200);
}

async function change(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, form: FormData) {
  const scope: Scope = formText(form, 'for') === 'everyone' ? 'everyone' : 'own';
  if (scope === 'everyone' && !person.owner) return c.notFound();
  const subject = scope === 'everyone' ? EVERYONE_SUBJECT : person.subject;
  const list = await deps.stores().siteRules.read(subject);
  const changed = changedBy(form, scope, list);
  if ('text' in changed) return show(c, deps, person, changed, form);
  await deps.stores().siteRules.save(subject, changed.list);
  const [isTold] = await Promise.all([
    deps.tell(scope === 'everyone' ? null : person.subject),
    deps.note(person.subject, 'rules', scope === 'everyone' ? `for everyone: ${changed.words}` : changed.words),
  ]);
  const to = changed.at === undefined ? PATHS.rules : `${PATHS.rules}?${scope}=${changed.at}`;
  return isTold ? continueAfterForm(c, 'ruled', to) : show(c, deps, person, NOT_TOLD);
}

const NOT_TOLD: RuleProblem = {
  text: 'Saved, but a running session could not be reached. End it on the page “Sessions”, or save again.',
  status: 503,
};
const NOT_THERE: RuleProblem = { text: 'That rule has changed in the meantime. Nothing was done.', status: 409 };
const NOT_OURS: RuleProblem = { text: 'This form was not from here. Use the buttons below.', status: 400 };

/** `at`: index of an added rule in the list. */
type Changed = { list: SiteRuleList; words: string; at?: number };

function changedBy(form: FormData, scope: Scope, list: SiteRuleList): Changed | RuleProblem {
  const level = SELECTABLE_RULE_LEVELS.find((one) => one === formText(form, `${scope}-level`)) ?? null;
  switch (formText(form, 'do')) {
    case 'add':
      return level === null ? NOT_OURS : added(list, level, formText(form, `${scope}-site`), scope);
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
        words: `${formatSite(rule)}: deleted`,
      }));
    case 'up':
    case 'down': {
      const by = formText(form, 'do') === 'up' ? -1 : 1;
      return ofRule(form, list, (at, rule) => ({
        list: { ...list, rules: moveRule(list.rules, at, by) },
        words: `${formatSite(rule)}: moved ${by === -1 ? 'up' : 'down'}`,
      }));
    }
    default:
      return NOT_OURS;
  }
}

function added(list: SiteRuleList, level: RuleLevel, text: string, scope: Scope): Changed | RuleProblem {
  const site = parseSite(text);
  if (typeof site === 'string') return { text: site, field: `${scope}-site`, status: 400 };
  const placed = addRule(list.rules, { ...site, level });
  if (placed === null)
    return { text: `There are ${SITE_RULES_MAX} rules, the most there may be. Delete one first.`, status: 409 };
  const { rules, at } = placed;
  return { list: { ...list, rules }, words: `${formatSite(site)}: ${LEVEL_WORDS[level]}`, at };
}

/** Changes one rule. The form names the rule's index and site, so that an outdated page cannot change another rule. */
function ofRule(
  form: FormData,
  list: SiteRuleList,
  work: (at: number, rule: SiteRule) => Changed,
): Changed | RuleProblem {
  const at = parseNumber(formText(form, 'at'));
  const rule = at === null ? undefined : list.rules[at];
  if (at === null || rule === undefined || formatSite(rule) !== formText(form, 'site')) return NOT_THERE;
  return work(at, rule);
}

/** `own`: rules of the user. `everyone`: the owner's rules, which bind all users. */
type Scope = 'own' | 'everyone';

const LEVEL_WORDS: Readonly<Record<RuleLevel, string>> = {
  block: 'Block',
  read: 'Look only',
  ask: 'Ask first',
  act: 'Act',
};
const LEVEL_FACTS: Readonly<Record<RuleLevel, string>> = {
  block: 'models cannot open it or see it',
  read: 'models read, scroll and hover, and do nothing else',
  ask: 'models act, and you are asked before they buy, send, delete or upload',
  act: 'models do everything that their permissions allow',
};
const LEVEL_LOOKS: Readonly<Record<RuleLevel, NonNullable<StateLabel['looks']>>> = {
  block: 'bad',
  read: 'warn',
  ask: 'warn',
  act: 'ok',
};

type Props = {
  own: SiteRuleList;
  everyone: SiteRuleList;
  problem: FormInputProblem | null;
  filledIn: (scope: Scope) => string;
  /** Index of the rule that was just added, by list. */
  placed: Readonly<Record<Scope, number | null>>;
};

function Rules({ own, everyone, problem, filledIn, placed }: Props) {
  const { isOwner } = useVisitor();
  const isFieldOf = (scope: Scope) => (problem?.field?.startsWith(scope) === true ? problem : null);
  const isBound = everyone.rules.length > 0 || everyone.fallback !== 'act';
  return (
    <ConsolePage
      title="Rules"
      at={PATHS.rules}
      lead="Rules limit what models may do on a site in browser sessions. They do not limit what you do yourself in a live view."
      problem={problem === null || problem.field !== undefined ? null : problem.text}
    >
      <ul class="facts">
        {SELECTABLE_RULE_LEVELS.map((level) => (
          <li>
            <b>{LEVEL_WORDS[level]}</b>: {LEVEL_FACTS[level]}
          </li>
        ))}
      </ul>
      {isOwner || isBound ? (
        <>
          <h2>For everyone</h2>
          <p>These rules of the owner hold for every person on this server. Rules of a person can only be stricter.</p>
          <RuleItems scope="everyone" list={everyone} mayChange={isOwner} placed={placed.everyone} />
          {isOwner ? (
            <Change scope="everyone" list={everyone} problem={isFieldOf('everyone')} site={filledIn('everyone')} />
          ) : null}
        </>
      ) : null}
      <h2>Yours</h2>
      <RuleItems scope="own" list={own} mayChange placed={placed.own} />
      <Change scope="own" list={own} problem={isFieldOf('own')} site={filledIn('own')} />
    </ConsolePage>
  );
}

type ItemsProps = { scope: Scope; list: SiteRuleList; mayChange: boolean; placed: number | null };

function RuleItems({ scope, list, mayChange, placed }: ItemsProps) {
  const { rules, fallback } = list;
  const items = rules.map((rule, at) => ruleItem(rule, mayChange ? actionsOf(scope, rules, at) : []));
  return (
    <>
      <p>
        The first rule that fits a page decides. {rules.length === 0 ? 'Everywhere' : 'Everywhere else'}:{' '}
        <b>{LEVEL_WORDS[fallback]}</b>.
      </p>
      {placed === null ? null : <Placed rules={rules} at={placed} />}
      <ItemList
        to={PATHS.rules}
        items={items}
        none={mayChange ? 'No rules for single sites yet. Add one below.' : 'No rules for single sites.'}
      />
    </>
  );
}

function Placed({ rules, at }: { rules: readonly SiteRule[]; at: number }) {
  const [above, rule] = [rules[at - 1], rules[at]];
  if (rule === undefined) return null;
  return (
    <p>
      The new rule for <bdi>{formatSite(rule)}</bdi> was put{' '}
      {above === undefined ? (
        'first.'
      ) : (
        <>
          below <bdi>{formatSite(above)}</bdi>: a narrower rule comes first, or the stricter one if neither is narrower.
        </>
      )}
    </p>
  );
}

function ruleItem(rule: SiteRule, actions: readonly ItemAction[]): ListEntry {
  const { level } = rule;
  return {
    about: formatSite(rule),
    icon: 'rule',
    name: <bdi>{formatSite(rule)}</bdi>,
    state: { text: LEVEL_WORDS[level], looks: LEVEL_LOOKS[level] },
    facts: [rule.host.startsWith('*.') ? 'with its subdomains' : null, rule.path === '/' ? null : 'and all below it'],
    actions,
  };
}

function actionsOf(scope: Scope, rules: readonly SiteRule[], at: number): ItemAction[] {
  const rule = rules[at];
  if (rule === undefined) return [];
  const sends = (what: string) => ({ for: scope, do: what, at: String(at), site: formatSite(rule) });
  return [
    ...(at === 0 ? [] : [{ label: 'Move up', sends: sends('up') }]),
    ...(at === rules.length - 1 ? [] : [{ label: 'Move down', sends: sends('down') }]),
    { label: 'Delete', sends: sends('delete'), asks: 'rule' },
  ];
}

type ChangeProps = { scope: Scope; list: SiteRuleList; problem: FormInputProblem | null; site: string };

function Change({ scope, list, problem, site }: ChangeProps) {
  const levels = new Map([['', SELECTABLE_RULE_LEVELS.map(levelOption)]]);
  const presets = SELECTABLE_RULE_LEVELS.filter((level) => level === 'read' || level === 'ask').map(
    (level): ItemAction => {
      const action = {
        label: `${LEVEL_WORDS[level]} everywhere`,
        sends: { for: scope, do: 'everywhere', [`${scope}-level`]: level },
      };
      return list.rules.length === 0 ? action : { ...action, asks: 'rules' };
    },
  );
  return (
    <>
      <h3>Add a rule</h3>
      <Form to={PATHS.rules} submit="Add" sends={{ for: scope, do: 'add' }} problem={problem} autocomplete="off">
        <FormField
          name={`${scope}-site`}
          label="Site, such as shop.example, *.example.com or example.com/billing"
          required
          value={site}
          placeholder="*.example.com"
          autocomplete="off"
        />
        <Select name={`${scope}-level`} label="Models may" chosen="read" options={levels} />
      </Form>
      <h3>Everywhere else</h3>
      <Form to={PATHS.rules} submit="Save" sends={{ for: scope, do: 'default' }}>
        <DefaultLevel scope={scope} fallback={list.fallback} />
      </Form>
      <Actions to={PATHS.rules} actions={presets} />
    </>
  );
}

/** Select for the default level. It has a separate ID, because another select on the page has the same name. */
function DefaultLevel({ scope, fallback }: { scope: Scope; fallback: RuleLevel }) {
  const id = `${scope}-default`;
  return (
    <>
      <label for={id}>Where no rule fits, models may</label>
      <select id={id} name={`${scope}-level`}>
        {SELECTABLE_RULE_LEVELS.map((level) => (
          <option value={level} selected={level === fallback}>
            {LEVEL_WORDS[level]}
          </option>
        ))}
      </select>
    </>
  );
}

function levelOption(level: RuleLevel): SelectOption {
  return { value: level, text: LEVEL_WORDS[level] };
}
