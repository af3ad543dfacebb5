export const PATHS = {
  landing: '/',
  privacy: '/privacy',
  mark: '/favicon.svg',
  /** Icon for programs without SVG, and for programs that request this path by default. */
  icon: '/favicon.ico',
  mcp: '/mcp',
  authorize: '/authorize',
  token: '/token',
  revoke: '/revoke',
  register: '/register',
  /** Below this path is the metadata of `/mcp` (RFC 9728 §3.1). */
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
  /** Only for the owner. */
  people: '/console/people',
  account: '/console/account',
  accountExport: '/console/account/export',
  /** The single-use token of the link follows. */
  invitation: '/invitation',
  health: '/console/health',
  /** JSON for `npm run deploy`, which is not signed in. */
  browserHealth: '/console/health/browser',
  /** A cursor follows. */
  citation: '/c',
  quote: '/q',
  citations: '/console/citations',
  library: '/console/library',
  /** The ID of a follow and the number of a round follow. */
  changes: '/changes',
  /** The token of the link follows. */
  changesFeed: '/changes/feed',
  pictures: '/pictures',
  /** Preview picture that chats show for a link to this server. */
  previewPicture: '/pictures/preview.png',
  ready: '/healthz',
  /** Path of the sign-in page. @param next a path under `/console`, or an authorization request */
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

/** Path of the questions of a session, with this question first. */
export function approvalPath(session: string, id: string): string {
  return `${PATHS.approvals}?${new URLSearchParams({ name: session, question: id }).toString()}`;
}

export function approvalPicturePath(session: string, id: string): string {
  return `${PATHS.approvalPicture}?${new URLSearchParams({ name: session, question: id }).toString()}`;
}

/** Path of a step of a session, followed by older steps. @param seq of the step */
export function stepPath(session: string, seq: number): string {
  return `${PATHS.session}?${new URLSearchParams({ name: session, before: String(seq + 1) }).toString()}#step-${seq}`;
}

/** Path of the changes of a page in one round. @param page the key of the page */
export function changePath(follow: string, round: number, page: string): string {
  return `${PATHS.changes}/${follow}/${round}?${new URLSearchParams({ page }).toString()}`;
}

export function changesPath(follow: string): string {
  return `${PATHS.changes}?${new URLSearchParams({ library: follow }).toString()}`;
}

export function changeFeedPath(token: string): string {
  return `${PATHS.changesFeed}/${token}`;
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
