import type { PageActFacts, PageActKind, ElementFacts, FieldKindInForm, FormFacts } from '#browsing/ask/act-facts.ts';

/** One act of a flow, and whether a person should be asked before it. */
export type LabelledAct = { isConsequential: boolean; act: PageActFacts };
export type Flow = { name: string; language: string; acts: readonly LabelledAct[] };

const PLAIN: ElementFacts = {
  kind: 'button',
  name: '',
  hints: '',
  around: '',
  isInDialog: false,
  opens: null,
  form: null,
  submits: false,
  path: '',
};

type More = Partial<ElementFacts> & { acceptsDialog?: boolean };

function act(kind: PageActKind, given: More): PageActFacts {
  const { acceptsDialog = false, ...facts } = given;
  return { kind, acceptsDialog, element: { ...PLAIN, ...facts } };
}

export const asks = (one: PageActFacts): LabelledAct => ({ isConsequential: true, act: one });
export const fine = (one: PageActFacts): LabelledAct => ({ isConsequential: false, act: one });

export const button = (name: string, more: More = {}) => act('click', { kind: 'button', name, ...more });
export const link = (name: string, more: More = {}) =>
  act('click', { kind: 'link', name, opens: 'https://shop.test/next', ...more });
export const icon = (hints: string, more: More = {}) => act('click', { hints, ...more });
export const box = (name: string, more: More = {}) => act('click', { kind: 'check', name, ...more });
export const choice = (name: string, more: More = {}) => act('choose', { kind: 'choice', name, ...more });
export const field = (name: string, more: More = {}) => act('click', { kind: 'text', name, ...more });
export const enter = (name: string, more: More = {}) => act('enter', { kind: 'text', name, ...more });
export const upload = (name: string) => act('upload', { kind: 'file', name });
export const drop = (name: string, more: More = {}) => act('drop', { kind: 'other', name, ...more });
export const press = (kind: PageActKind, more: More = {}) => act(kind, more);

export function form(method: FormFacts['method'], has: readonly FieldKindInForm[] = [], submit = ''): FormFacts {
  return { method, action: 'https://shop.test/do', has, isSearch: false, submit, values: [] };
}

export const search: FormFacts = { ...form('get'), isSearch: true, submit: 'Search' };
/** A submit button of a form. */
export const submit = (name: string, has: readonly FieldKindInForm[] = [], more: More = {}) =>
  button(name, { submits: true, form: form('post', has, name), ...more });
export const inDialog = (name: string, around: string, more: More = {}) =>
  button(name, { isInDialog: true, around, ...more });

export const flow = (language: string, name: string, acts: readonly LabelledAct[]): Flow => ({ language, name, acts });
