/** Where everything is that this server answers. */
export const PATHS = {
  landing: '/',
  mcp: '/mcp',
  authorize: '/authorize',
  token: '/token',
  revoke: '/revoke',
  register: '/register',
  /** Protected resource metadata; that of `/mcp` is below it (RFC 9728 §3.1). */
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  signIn: '/sign-in',
  signInUpstream: '/sign-in/upstream',
  signOut: '/sign-out',
  console: '/console',
  activity: '/console/activity',
  /** Leads on to what a line of the activity is about. */
  openDeed: '/console/activity/open',
  sessions: '/console/sessions',
  /** One of them, by its name in the query: its steps. */
  session: '/console/session',
  /** The picture of a step, by its id in the query. */
  stepPicture: '/console/session/picture',
  clients: '/console/clients',
  usage: '/console/usage',
  store: '/console/store',
  /** Leads on to a stored page. */
  openStored: '/console/store/open',
  accessTokens: '/console/tokens',
  revokeAccessToken: '/console/tokens/revoke',
  files: '/console/files',
  deleteFile: '/console/files/delete',
  downloadFile: '/console/files/download',
  secrets: '/console/secrets',
  deleteSecret: '/console/secrets/delete',
  health: '/console/health',
  /** For `npm run deploy`, which is not signed in: what the browser does, as JSON. */
  browserHealth: '/console/health/browser',
  /** What a cursor shows, for the person whose it is. */
  citation: '/c',
  /** Quotes that people share, by their ids. */
  quote: '/q',
  /** What the signed-in person has cited. */
  citations: '/console/citations',
  /** What everybody shares, for the owner. */
  shared: '/console/shared',
  /** Those of the landing page, by their names. */
  pictures: '/pictures',
  ready: '/healthz',
  /** Below it, by their names: the browser sessions of whoever is signed in, as they are now. */
  live: '/live',
} as const;

/** Where a provider sends people back to. */
export function callbackPath(way: 'oidc' | 'github'): string {
  return `${PATHS.signIn}/${way}/callback`;
}

/** The sign-in page that leads on to `next`: a path under `/console`, or an authorization request. */
export function signInPath(next: string): string {
  return `${PATHS.signIn}?${new URLSearchParams({ next }).toString()}`;
}

/** Where the protected resource metadata of `/mcp` is. */
export function resourceMetadataUrl(origin: string): string {
  return origin + PATHS.resourceMetadata + PATHS.mcp;
}

/** Where a person sees the steps of a browser session. @param name as its people call it */
export function sessionPath(name: string): string {
  return `${PATHS.session}?${new URLSearchParams({ name }).toString()}`;
}

/** Where a person sees a browser session. @param session as its people call it */
export function livePath(session: string): string {
  return `${PATHS.live}/${session}`;
}

/** The session whose live view a path names; `null` for any other path. */
export function sessionOfLivePath(pathname: string): string | null {
  return LIVE_PATH.exec(pathname)?.[1] ?? null;
}

const LIVE_PATH = /^\/live\/((?:shared\/)?[A-Za-z0-9][\w.-]*)$/;

export const SERVER_NAME = 'periscope';
export const SERVER_TITLE = 'Periscope';
