import { LINE_TO_ADD } from './ask-web-search.ts';
import type { LocalBrowser } from './chromium.ts';
import type { LogFormat } from './log-format.ts';
import { IS_PACKAGE } from './project.ts';
import type { Settings } from './settings.ts';

const SHARED_MACHINE =
  'while that Chrome runs, other users of this machine can reach its debugging port (docs/security.md)';

const NO_WEB_SEARCH = `only pages opened here; to search the web, add one line to .dev.vars: ${LINE_TO_ADD} (docs/search.md)`;

/** What a person sees when the Worker answers. The first line is what scripts wait for. */
export function welcome(
  settings: Settings,
  browser: LocalBrowser | null,
  openToOthers: readonly string[],
  logFormat: LogFormat,
): string {
  const { port, values } = settings;
  const local = `http://localhost:${port}`;
  const mcp = `${local}/mcp`;
  const token = values['LOCAL_ACCESS_TOKEN'] ?? '';
  const publicUrl = values['PUBLIC_URL'] ?? local;
  const authorization = `Authorization: Bearer ${token}`;
  const json = {
    mcpServers: {
      periscope: { type: 'http', url: mcp, headers: { Authorization: `Bearer ${token}` } },
    },
  };
  return [
    `Periscope is ready at ${local}/`,
    '',
    row('Connector URL', mcp),
    ...(publicUrl === local ? [] : [row('Public URL', publicUrl)]),
    row('Console', values['OWNER_PASSPHRASE'] ? `${onceLink(local, values)} (signs in once)` : `${local}/console`),
    row('Passphrase', values['OWNER_PASSPHRASE'] || '(none: sign-in with a passphrase is off)'),
    ...(values['SIGN_IN_KEY'] ? [row('Sign-in link', `${local}/sign-in?key=${values['SIGN_IN_KEY']}`)] : []),
    row('Access token', token || '(none: only clients that sign in can connect)'),
    row(
      'Kept in',
      `${settings.varsFile}${settings.wroteVars ? ` (written just now${IS_PACKAGE ? '' : '; git ignores it'})` : ''}`,
    ),
    row('Search', settings.webSearch ?? NO_WEB_SEARCH),
    row('Browser', inWords(browser)),
    ...(browser?.kind === 'download' ? [row('Note', SHARED_MACHINE)] : []),
    ...settings.unknownNames.map((name) =>
      row('Note', `${settings.varsFile} sets ${name}, which is not a setting of Periscope`),
    ),
    ...settings.advice.map((text) => row('Note', text)),
    ...openToOthers.map((path) => row('Note', `others on this machine may read ${path}: it belongs to somebody else`)),
    '',
    ...(token === ''
      ? []
      : [
          'Claude Code',
          `  claude mcp add --transport http periscope ${mcp} --header "${authorization}"`,
          '',
          // Below Node 22.19, npx would fetch an Inspector of 2025 that has no --cli. In a clone it runs the installed one.
          ...(IS_PACKAGE ? ['MCP Inspector (Node 22.19 or newer)'] : ['MCP Inspector, in this folder']),
          `  npx ${IS_PACKAGE ? '@modelcontextprotocol/inspector' : 'mcp-inspector'} --cli ${mcp} --transport http --header "${authorization}" --method tools/list`,
          '',
          'Any client with a JSON configuration',
          ...JSON.stringify(json, null, 2)
            .split('\n')
            .map((line) => `  ${line}`),
          '',
        ]),
    `One ${logFormat === 'json' ? 'JSON line' : 'line'} per call follows. Ctrl-C stops the server.`,
    '',
  ].join('\n');
}

function onceLink(local: string, values: Settings['values']): string {
  return `${local}/sign-in?${new URLSearchParams({ once: values['LOCAL_SIGN_IN_KEY'] ?? '' }).toString()}`;
}

function inWords(browser: LocalBrowser | null): string {
  switch (browser?.kind) {
    case undefined:
      return '(off: RENDER_ENABLED is not true)';
    case 'ready':
      return browser.path;
    case 'download':
      return '(Wrangler downloads Chrome when it is first needed)';
    case 'none':
      return `(off: rendered pages and the browser tools do not work) ${browser.reason}`;
  }
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(14)} ${value}`;
}
