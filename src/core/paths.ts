export const PATHS = {
  landing: '/',
  privacy: '/privacy',
  mark: '/favicon.svg',
  /** Icon for programs that do not support SVG, and for programs that request this path without reading the page. */
  icon: '/favicon.ico',
  mcp: '/mcp',
  authorize: '/authorize',
  token: '/token',
  revoke: '/revoke',
  register: '/register',
  /** The OAuth metadata of `/mcp` is at this path with `/mcp` appended (RFC 9728 §3.1). */
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  signIn: '/sign-in',
  signInUpstream: '/sign-in/upstream',
  signOut: '/sign-out',
  console: '/console',
  timeZone: '/console/zone',
  playground: '/console/try',
  activity: '/console/activity',
  openActivity: '/console/activity/open',
  sessions: '/console/sessions',
  session: '/console/session',
  stepPicture: '/console/session/picture',
  sessionTest: '/console/session/test',
  approvals: '/console/approvals',
  approvalPicture: '/console/approvals/picture',
  clients: '/console/clients',
  usage: '/console/usage',
  store: '/console/store',
  openStored: '/console/store/open',
  accessTokens: '/console/tokens',
  revokeAccessToken: '/console/tokens/revoke',
  files: '/console/files',
  deleteFile: '/console/files/delete',
  downloadFile: '/console/files/download',
  secrets: '/console/secrets',
  deleteSecret: '/console/secrets/delete',
  rules: '/console/rules',
  /** List of the users, which only the owner can open. */
  people: '/console/people',
  account: '/console/account',
  accountExport: '/console/account/export',
  /** Prefix of invitation links, which end in a single-use token. */
  invitation: '/invitation',
  health: '/console/health',
  /** State of the browser as JSON for `npm run deploy`, which is not signed in. */
  browserHealth: '/console/health/browser',
  /** Prefix of citation pages, such as `/c/c_…/L12-L15`. */
  citation: '/c',
  quote: '/q',
  citations: '/console/citations',
  library: '/console/library',
  /**
   * Page with changes of followed pages. `/changes/FOLLOW/ROUND` shows the changes that one reading of a site found.
   */
  changes: '/changes',
  /** Prefix of feed links, which end in a secret token. */
  changesFeed: '/changes/feed',
  pictures: '/pictures',
  /** Preview picture that chats show for a link to this server. */
  previewPicture: '/pictures/preview.png',
  ready: '/healthz',
  backup: '/backup',
  restore: '/restore',
  live: '/live',
} as const;

export function callbackPath(way: 'oidc' | 'github'): string {
  return `${PATHS.signIn}/${way}/callback`;
}

/**
 * @param next where the user continues after the sign-in, such as a path under `/console`, an authorization request or
 * a citation
 */
export function signInPath(next: string): string {
  return `${PATHS.signIn}?${new URLSearchParams({ next }).toString()}`;
}

export function resourceMetadataUrl(origin: string): string {
  return origin + PATHS.resourceMetadata + PATHS.mcp;
}

export function sessionPath(name: string): string {
  return `${PATHS.session}?${new URLSearchParams({ name }).toString()}`;
}

/** Path of the page with the questions of a session to its user. The question `id` comes first. */
export function approvalPath(session: string, id: string): string {
  return `${PATHS.approvals}?${new URLSearchParams({ name: session, question: id }).toString()}`;
}

export function approvalPicturePath(session: string, id: string): string {
  return `${PATHS.approvalPicture}?${new URLSearchParams({ name: session, question: id }).toString()}`;
}

/** Path of the page that lists the steps (calls) of a browser session, from step `seq` back to older steps. */
export function sessionStepsPath(session: string, seq: number): string {
  return `${PATHS.session}?${new URLSearchParams({ name: session, before: String(seq + 1) }).toString()}#step-${seq}`;
}

/** Path of the changes that one reading of a followed site found in a page. @param page the key of the page */
export function followedPageChangePath(follow: string, round: number, page: string): string {
  return `${PATHS.changes}/${follow}/${round}?${new URLSearchParams({ page }).toString()}`;
}

export function followChangesPath(follow: string): string {
  return `${PATHS.changes}?${new URLSearchParams({ library: follow }).toString()}`;
}

export function livePath(session: string): string {
  return `${PATHS.live}/${session}`;
}

export function parseLivePath(pathname: string): string | null {
  return LIVE_PATH.exec(pathname)?.[1] ?? null;
}

const LIVE_PATH = /^\/live\/((?:shared\/)?[A-Za-z0-9][\w.-]*)$/;

export const SERVER_NAME = 'periscope';
export const SERVER_TITLE = 'Periscope';
