export const PATHS = {
  landing: '/',
  privacy: '/privacy',
  mark: '/favicon.svg',
  /** The same for programs that know no SVG, or ask for this path unasked. */
  icon: '/favicon.ico',
  mcp: '/mcp',
  authorize: '/authorize',
  token: '/token',
  revoke: '/revoke',
  register: '/register',
  /** The metadata of `/mcp` is below it (RFC 9728 §3.1). */
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
  /** For the owner. */
  people: '/console/people',
  account: '/console/account',
  accountExport: '/console/account/export',
  /** Followed by what makes it a link that works once. */
  invitation: '/invitation',
  health: '/console/health',
  /** JSON for `npm run deploy`, which is not signed in. */
  browserHealth: '/console/health/browser',
  /** Followed by a cursor. */
  citation: '/c',
  quote: '/q',
  citations: '/console/citations',
  library: '/console/library',
  /** Followed by what is followed and the number of a round. */
  changes: '/changes',
  /** Followed by the token of its link. */
  changesFeed: '/changes/feed',
  pictures: '/pictures',
  /** What a chat shows of a link to this server. */
  previewPicture: '/pictures/preview.png',
  ready: '/healthz',
  /** For `npm run backup` and `npm run restore`. */
  backup: '/backup',
  restore: '/restore',
  live: '/live',
} as const;

export function callbackPath(way: 'oidc' | 'github'): string {
  return `${PATHS.signIn}/${way}/callback`;
}

/** @param next a path under `/console`, or an authorization request */
export function signInPath(next: string): string {
  return `${PATHS.signIn}?${new URLSearchParams({ next }).toString()}`;
}

export function resourceMetadataUrl(origin: string): string {
  return origin + PATHS.resourceMetadata + PATHS.mcp;
}

export function sessionPath(name: string): string {
  return `${PATHS.session}?${new URLSearchParams({ name }).toString()}`;
}

/** A step of a session, with older ones below it. @param seq of the step */
export function stepPath(session: string, seq: number): string {
  return `${PATHS.session}?${new URLSearchParams({ name: session, before: String(seq + 1) }).toString()}#step-${seq}`;
}

/** What changed in a page in one round. @param page the key of the page */
export function changePath(follow: string, round: number, page: string): string {
  return `${PATHS.changes}/${follow}/${round}?${new URLSearchParams({ page }).toString()}`;
}

export function changeFeedPath(token: string): string {
  return `${PATHS.changesFeed}/${token}`;
}

export function livePath(session: string): string {
  return `${PATHS.live}/${session}`;
}

export function sessionOfLivePath(pathname: string): string | null {
  return LIVE_PATH.exec(pathname)?.[1] ?? null;
}

const LIVE_PATH = /^\/live\/((?:shared\/)?[A-Za-z0-9][\w.-]*)$/;

export const SERVER_NAME = 'periscope';
export const SERVER_TITLE = 'Periscope';
