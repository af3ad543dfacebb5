import type { Call, Field, Subject } from '../browser/subjects.ts';

/** The part of the page that a model wants to see after an action: nothing, an expected sign, or everything. */
export type Looks = 'nothing' | 'sign' | 'all';

export type Click = { isDouble?: boolean; accepts?: boolean };

/** The cheapest use of one server's tools on a page. */
export type Hands = {
  subject: Subject;
  /** Shows only the places with a text, if the server can. */
  seek: (text: string) => Call;
  /** True if a ref of an earlier view still works after the page has re-created its elements. */
  refsLast: boolean;
  /** A target by text for an element without a known ref, if the server accepts one. */
  byText: ((text: string) => string) | null;
  /** True if the server accepts a CSS selector in place of a ref. */
  takesCss: boolean;
  /** Runs several actions in one call, if the server can; `null` for an action that no step describes. */
  list: { stepsOf: (call: Call) => string[] | null; take: (steps: readonly string[], looks: Looks) => Call } | null;
  /** Actions. The last answer shows what `looks` asks for. A sign may be missing if it would take another call. */
  click: (ref: string, looks: Looks, click: Click) => Call[];
  fill: (fields: readonly (Field & { ref: string })[], looks: Looks) => Call[];
  type: (ref: string | null, text: string, looks: Looks) => Call[];
  press: (key: string, times: number, looks: Looks) => Call[];
  hover: (ref: string, looks: Looks) => Call[];
  drag: (from: string, to: string, looks: Looks) => Call[];
  wait: (text: string) => Call;
  errors: () => Call;
  /** Shows the rest of a shortened list of errors. */
  errorWhole: (list: string) => Call | null;
  /** Opens another page and discards unsaved changes. */
  leaveTo: (url: string) => Call[];
  /** Signs out of all sites, between two tasks. */
  forget: () => Call;
  /** Runs a script in the page: for checks only, never for the player. */
  evaluate: (script: string) => Call;
};

export function handsOf(subject: Subject): Hands {
  if (subject.name === 'periscope') return ours(subject);
  return subject.name === '@playwright/mcp' ? playwright(subject) : chromeDevtools(subject);
}

function ours(subject: Subject): Hands {
  const say = (tool: string, args: Record<string, unknown>): Call => ({ tool, args });
  const act = (tool: string, args: Record<string, unknown>, looks: Looks) => [
    say(tool, { ...args, ...(looks === 'all' && { snapshot: true }) }),
  ];
  return {
    subject,
    refsLast: true,
    seek: (find) => say('browser_snapshot', { find }),
    byText: (text) => `text=${text}`,
    takesCss: true,
    list: {
      stepsOf,
      take: (steps, looks) => say('browser_do', { steps, ...(looks === 'all' && { snapshot: true }) }),
    },
    click: (selector, looks, { isDouble, accepts }) => {
      const more = { ...(isDouble === true && { click_count: 2 }), ...(accepts === true && { dialog: 'accept' }) };
      return act('browser_click', { selector, ...more }, looks);
    },
    fill: (fields, looks) => subject.fill(fields).flatMap(({ tool, args }) => act(tool, args, looks)),
    type: (selector, text, looks) => act('browser_type', { ...(selector !== null && { selector }), text }, looks),
    press: (key, times, looks) =>
      act('browser_type', { key: Array.from({ length: times }, () => key).join(' ') }, looks),
    hover: (selector, looks) => act('browser_point', { action: 'hover', selector }, looks),
    drag: (selector, to, looks) => act('browser_point', { action: 'drag', selector, to_selector: to }, looks),
    wait: (text) => say('browser_wait', { text }),
    errors: () => say('browser_log', { kind: 'console' }),
    errorWhole: () => null,
    leaveTo: (url) => [say('browser_navigate', { url, dialog: 'accept' })],
    // Scripts cannot delete everything that a page has stored.
    forget: () => say('browser_close', {}),
    evaluate: (script) => say('browser_evaluate', { script }),
  };
}

/** The steps of `browser_do` for one of our calls. */
function stepsOf({ tool, args }: Call): string[] | null {
  const { selector, selectors, values, text, key, action, click_count: clicks, dialog, to_selector: to } = args;
  const named = (one: unknown) => (typeof one === 'string' ? one : '');
  if (dialog !== undefined) return null;
  if (tool === 'browser_click') return [`${clicks === 2 ? 'double-click' : 'click'} ${named(selector)}`];
  if (tool === 'browser_fill' && Array.isArray(selectors) && Array.isArray(values))
    return selectors.map((one, at) => `fill ${named(one)} = ${named(values[at])}`);
  if (tool === 'browser_type' && typeof key === 'string') return [`press ${key}`];
  if (tool === 'browser_type' && typeof text === 'string' && !/["\n]/u.test(text))
    return [`type "${text}"${selector === undefined ? '' : ` into ${named(selector)}`}`];
  if (tool !== 'browser_point') return null;
  return [action === 'drag' ? `drag ${named(selector)} to ${named(to)}` : `hover ${named(selector)}`];
}

function playwright(subject: Subject): Hands {
  const say = (tool: string, args: Record<string, unknown>): Call => ({ tool, args });
  const then = (calls: readonly Call[], looks: Looks) => [...calls, ...(looks === 'all' ? [subject.snapshot()] : [])];
  return {
    subject,
    refsLast: false,
    seek: (text) => say('browser_find', { text }),
    byText: (text) => `text=${text}`,
    takesCss: true,
    list: null,
    click: (target, looks, { isDouble, accepts }) => {
      const click = say('browser_click', { target, ...(isDouble === true && { doubleClick: true }) });
      return then(accepts === true ? [click, say('browser_handle_dialog', { accept: true })] : [click], looks);
    },
    fill: (fields, looks) => then(subject.fill(fields), looks),
    type: (target, text, looks) => {
      const keys = () => Array.from(text, (key) => say('browser_press_key', { key }));
      return then(target === null ? keys() : [say('browser_type', { target, text, slowly: true })], looks);
    },
    press: (key, times, looks) =>
      then(
        Array.from({ length: times }, () => say('browser_press_key', { key })),
        looks,
      ),
    hover: (target, looks) => then([say('browser_hover', { target })], looks),
    drag: (startTarget, endTarget, looks) => then([say('browser_drag', { startTarget, endTarget })], looks),
    wait: (text) => say('browser_wait_for', { text }),
    errors: () => say('browser_console_messages', { level: 'error' }),
    errorWhole: () => null,
    leaveTo: (url) => [subject.navigate(url), say('browser_handle_dialog', { accept: true })],
    forget: () => say('browser_evaluate', { function: `() => ${FORGETS}` }),
    evaluate: (script) => say('browser_evaluate', { function: `() => ${script}` }),
  };
}

function chromeDevtools(subject: Subject): Hands {
  const say = (tool: string, args: Record<string, unknown>, looks: Looks = 'nothing'): Call => ({
    tool,
    args: { ...args, ...(looks !== 'nothing' && { includeSnapshot: true }) },
  });
  const then = (calls: readonly Call[], looks: Looks) => [
    ...calls,
    ...(looks === 'nothing' ? [] : [subject.snapshot()]),
  ];
  return {
    subject,
    refsLast: false,
    seek: () => subject.snapshot(),
    byText: null,
    takesCss: false,
    list: null,
    click: (uid, looks, { isDouble, accepts }) =>
      accepts === true
        ? then([say('click', { uid }), say('handle_dialog', { action: 'accept' })], looks)
        : [say('click', { uid, ...(isDouble === true && { dblClick: true }) }, looks)],
    fill: (fields, looks) => subject.fill(fields).map(({ tool, args }) => say(tool, args, looks)),
    type: (uid, text, looks) =>
      then([...(uid === null ? [] : [say('click', { uid })]), say('type_text', { text })], looks),
    press: (key, times, looks) =>
      Array.from({ length: times }, (_, at) => say('press_key', { key }, at === times - 1 ? looks : 'nothing')),
    hover: (uid, looks) => [say('hover', { uid }, looks)],
    drag: (from, to, looks) => [say('drag', { from_uid: from, to_uid: to }, looks)],
    wait: (text) => say('wait_for', { text: [text] }),
    errors: () => say('list_console_messages', { types: ['error'] }),
    errorWhole: (list) => {
      const id = /msgid=(\d+) \[error\] Uncaught/.exec(list)?.[1];
      return id === undefined ? null : say('get_console_message', { msgid: Number(id) });
    },
    leaveTo: (url) => [subject.navigate(url)],
    forget: () => say('evaluate_script', { function: `() => ${FORGETS}` }),
    evaluate: (script) => say('evaluate_script', { function: `() => ${script}` }),
  };
}

const FORGETS = '(window.stop(), localStorage.clear(), 0)';
