import type { Texts, WithoutCuts } from '#core/text/page-texts.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { DocumentScripts, ElementScripts } from '#browsing/in-page/scripts.ts';
import * as pageScripts from '#generated/page-scripts.js';

type Scripts = DocumentScripts & ElementScripts;
type Given<Name extends keyof Scripts> = ReturnType<Scripts[Name]>;
type WithText = {
  [Name in keyof Scripts]: Given<Name> extends number | boolean | void | null ? never : Name;
}[keyof Scripts];

/** Whose the texts are that scripts give. */
const SCRIPT_TEXTS: { readonly [Name in WithText]: Texts<Given<Name>> } = {
  // What is hidden is looked for in these, and pictures and files are as they are.
  allText: 'ours',
  controlText: 'ours',
  draw: 'ours',
  editableTexts: 'ours',
  handedOver: 'ours',
  readSaved: 'ours',

  choose: 'page',
  clickKind: 'ours',
  describeElement: 'page',
  field: { kind: 'ours', type: 'ours', value: 'page' },
  guardState: { accepted: 'ours', refused: 'ours' },
  html: 'page',
  listChoices: 'page',
  lookAtElement: { state: 'ours', words: 'page' },
  lookForSelector: { state: 'ours', words: 'page' },
  lookForText: { state: 'ours', words: 'page' },
  openSaved: 'page',
  putFile: { outcome: 'ours' },
  readFrame: 'page',
  readyPoint: { state: 'ours', by: 'page' },
  scroll: 'page',
  selectedText: 'page',
  setExact: 'page',
  takeInvalid: 'page',
  textSize: 'page',
  typedFields: 'page',
  // Origins are compared with those of secrets, as the browser has them.
  typeSecret: { state: 'ours', origins: 'ours' },
  viewport: 'page',
  visibleHtml: 'page',
  wallHere: 'ours',
};

const BY_SOURCE: ReadonlyMap<string, unknown> = new Map(
  Object.entries(SCRIPT_TEXTS).flatMap(([name, texts]) =>
    Object.entries(pageScripts).flatMap(([script, source]) => (script === name ? [[source, texts]] : [])),
  ),
);

/** What a script gives as it is told: without what must not be read out of pages, and without what is left out. */
export function withoutCuts<T>(source: string, given: T, session: CdpSession): WithoutCuts<T>;
export function withoutCuts(source: string, given: unknown, session: CdpSession): unknown {
  return session.toldAs(given, BY_SOURCE.get(source) ?? 'page');
}
