import { LINE_TO_ADD } from './ask-web-search.ts';
import type { LocalBrowser } from './chromium.ts';
import type { LogFormat } from './log-format.ts';
import { IS_PACKAGE } from './project.ts';
import type { Settings } from './settings.ts';

const SHARED_MACHINE =
  'while that Chrome runs, other users of this machine can reach its debugging port (docs/security.md)';

const NO_WEB_SEARCH = `only pages opened here; to search the web, add one line to .dev.vars: ${LINE_TO_ADD} (docs/search.md)`;

/**
 * The text that a start prints once the Worker answers: the address of the console, the command for a client, and the
 * reach of a search. Scripts wait for its first line.
 */
export function welcome(
  settings: Settings,
  browser: LocalBrowser | null,
  openToOthers: readonly string[],
  logFormat: LogFormat,
): string {
  const { port, values } = settings;
  const local = `http://localhost:${port}`;
  const publicUrl = values['PUBLIC_URL'] ?? local;
  return [
    `Periscope is ready at ${local}/`,
    '',
    row('Console', values['OWNER_PASSPHRASE'] ? `${onceLink(local, values)} (signs you in, once)` : `${local}/console`),
    row('Client', clientLine(local, values)),
    row('Search', settings.webSearch ?? NO_WEB_SEARCH),
    ...(publicUrl === local ? [] : [row('Public URL', publicUrl)]),
    ...(browser?.kind === 'ready' ? [] : [row('Browser', inWords(browser))]),
    ...(browser?.kind === 'download' ? [row('Note', SHARED_MACHINE)] : []),
    ...settings.unknownNames.map((name) =>
      row('Note', `${settings.varsFile} sets ${name}, which is not a setting of Periscope`),
    ),
    ...settings.advice.map((text) => row('Note', text)),
    ...openToOthers.map((path) => row('Note', `others on this machine may read ${path}: it belongs to somebody else`)),
    '',
    ...secretsIn(settings),
    '',
    `One ${logFormat === 'json' ? 'JSON line' : 'line'} per call follows. Ctrl-C stops the server.`,
    '',
  ].join('\n');
}

function clientLine(local: string, values: Settings['values']): string {
  const add = `claude mcp add --transport http periscope ${local}/mcp`;
  const token = values['LOCAL_ACCESS_TOKEN'];
  return token ? `${add} --header "Authorization: Bearer ${token}"` : `${add} (then sign in with /mcp)`;
}

/** Each secret that the user may need, and its purpose. The file contains their values. */
function secretsIn({ varsFile, wroteVars, values }: Settings): string[] {
  const uses = [
    ['OWNER_PASSPHRASE', 'signs you in at the console and allows clients'],
    ['LOCAL_ACCESS_TOKEN', 'connects clients on this machine that open no sign-in page'],
    ['SIGN_IN_KEY', 'opens /sign-in?key=… while wrong guesses block the sign-in page'],
  ].filter(([name = '']) => values[name]);
  if (uses.length === 0) return ['  No secrets: nobody can sign in.'];
  const written = wroteVars ? ` (written just now${IS_PACKAGE ? '' : '; git ignores it'})` : '';
  return [
    `  Secrets, in ${varsFile}${written}`,
    ...uses.map(([name = '', use = '']) => `    ${name.padEnd(18)} ${use}`),
  ];
}

function onceLink(local: string, values: Settings['values']): string {
  return `${local}/sign-in?${new URLSearchParams({ once: values['LOCAL_SIGN_IN_KEY'] ?? '' }).toString()}`;
}

function inWords(browser: Exclude<LocalBrowser, { kind: 'ready' }> | null): string {
  switch (browser?.kind) {
    case undefined:
      return '(off: RENDER_ENABLED is not true)';
    case 'download':
      return '(Wrangler downloads Chrome when it is first needed)';
    case 'none':
      return `(off: rendered pages and the browser tools do not work) ${browser.reason}`;
  }
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(10)} ${value}`;
}
