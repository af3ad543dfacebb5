import { CHOSEN_LEVELS, siteText } from '#core/site-rules.ts';
import type { RuleLevel, RuleList, SiteRule } from '#core/site-rules.ts';
import { PATHS } from '#core/paths.ts';
import { Actions, Form, FormField, Select } from '#web/parts/form.tsx';
import type { Action, Option, Problem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item, State } from '#web/parts/list.tsx';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';

/** `everyone`: the owner's rules. */
export type Scope = 'own' | 'everyone';

export const LEVEL_WORDS: Readonly<Record<RuleLevel, string>> = {
  block: 'Block',
  read: 'Look only',
  ask: 'Ask first',
  act: 'Act',
};
const LEVEL_FACTS: Readonly<Record<RuleLevel, string>> = {
  block: 'models cannot open it or see it',
  read: 'models read, scroll and hover, and do nothing else',
  ask: 'models act, and you are asked before what cannot be undone',
  act: 'models do everything that you allow them elsewhere',
};
const LEVEL_LOOKS: Readonly<Record<RuleLevel, NonNullable<State['looks']>>> = {
  block: 'bad',
  read: 'warn',
  ask: 'warn',
  act: 'ok',
};

type Props = {
  own: RuleList;
  everyone: RuleList;
  visitor: Visitor;
  problem: Problem | null;
  filledIn: (scope: Scope) => string;
  /** The place of the rule just added. */
  placed: Readonly<Record<Scope, number | null>>;
};

export function Rules({ own, everyone, visitor, problem, filledIn, placed }: Props) {
  const isFieldOf = (scope: Scope) => (problem?.field?.startsWith(scope) === true ? problem : null);
  const isBound = everyone.rules.length > 0 || everyone.fallback !== 'act';
  return (
    <ConsolePage
      visitor={visitor}
      title="Rules"
      at={PATHS.rules}
      lead="You decide what models may do on which sites in browser sessions. Your own hands in a live view are free."
      problem={problem === null || problem.field !== undefined ? null : problem.text}
    >
      <ul class="facts">
        {CHOSEN_LEVELS.map((level) => (
          <li>
            <b>{LEVEL_WORDS[level]}</b>: {LEVEL_FACTS[level]}
          </li>
        ))}
      </ul>
      {visitor.isOwner || isBound ? (
        <>
          <h2>For everyone</h2>
          <p>These rules of the owner hold for every person on this server. Rules of a person can only be stricter.</p>
          <RuleItems scope="everyone" list={everyone} mayChange={visitor.isOwner} placed={placed.everyone} />
          {visitor.isOwner ? (
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

type ItemsProps = { scope: Scope; list: RuleList; mayChange: boolean; placed: number | null };

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
      <ItemList to={PATHS.rules} items={items} none="No rules for single sites." />
    </>
  );
}

function Placed({ rules, at }: { rules: readonly SiteRule[]; at: number }) {
  const [above, rule] = [rules[at - 1], rules[at]];
  if (rule === undefined) return null;
  return (
    <p>
      The new rule for <bdi>{siteText(rule)}</bdi> was put{' '}
      {above === undefined ? (
        'first.'
      ) : (
        <>
          below <bdi>{siteText(above)}</bdi>: a narrower rule comes first, or the stricter one if neither is narrower.
        </>
      )}
    </p>
  );
}

function ruleItem(rule: SiteRule, actions: readonly Action[]): Item {
  const { level } = rule;
  return {
    about: siteText(rule),
    icon: 'rule',
    name: <bdi>{siteText(rule)}</bdi>,
    state: { text: LEVEL_WORDS[level], looks: LEVEL_LOOKS[level] },
    facts: [rule.host.startsWith('*.') ? 'with its subdomains' : null, rule.path === '/' ? null : 'and all below it'],
    actions,
  };
}

function actionsOf(scope: Scope, rules: readonly SiteRule[], at: number): Action[] {
  const rule = rules[at];
  if (rule === undefined) return [];
  const sends = (what: string) => ({ for: scope, do: what, at: String(at), site: siteText(rule) });
  return [
    ...(at === 0 ? [] : [{ label: 'Move up', sends: sends('up') }]),
    ...(at === rules.length - 1 ? [] : [{ label: 'Move down', sends: sends('down') }]),
    { label: 'Delete', sends: sends('delete'), asks: 'rule' },
  ];
}

type ChangeProps = { scope: Scope; list: RuleList; problem: Problem | null; site: string };

function Change({ scope, list, problem, site }: ChangeProps) {
  const levels = new Map([['', CHOSEN_LEVELS.map(levelOption)]]);
  const presets = CHOSEN_LEVELS.filter((level) => level === 'read' || level === 'ask').map((level): Action => {
    const action = {
      label: `${LEVEL_WORDS[level]} everywhere`,
      sends: { for: scope, do: 'everywhere', [`${scope}-level`]: level },
    };
    return list.rules.length === 0 ? action : { ...action, asks: 'rules' };
  });
  return (
    <>
      <h3>Add a rule</h3>
      <Form to={PATHS.rules} submit="Add" sends={{ for: scope, do: 'add' }} problem={problem} autocomplete="off">
        <FormField
          name={`${scope}-site`}
          label="Site: a host, *. before a domain for its subdomains, and a path if you like"
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

/** The select needs its own id, because the form above has a select with the same name. */
function DefaultLevel({ scope, fallback }: { scope: Scope; fallback: RuleLevel }) {
  const id = `${scope}-default`;
  return (
    <>
      <label for={id}>Where no rule fits, models may</label>
      <select id={id} name={`${scope}-level`}>
        {CHOSEN_LEVELS.map((level) => (
          <option value={level} selected={level === fallback}>
            {LEVEL_WORDS[level]}
          </option>
        ))}
      </select>
    </>
  );
}

function levelOption(level: RuleLevel): Option {
  return { value: level, text: LEVEL_WORDS[level] };
}
