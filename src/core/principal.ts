export const SCOPES = [
  'web:read',
  'browser:use',
  'browser:evaluate',
  'cache:purge',
  'library:follow',
  'cite:share',
] as const;
export type Scope = (typeof SCOPES)[number];

export type Principal = {
  /** Opaque, stable ID of a user, and the key of all data of the user. */
  subject: string;
  scopes: readonly Scope[];
  /** ID of the OAuth client or access token; missing for a user who signed in with a browser. */
  client?: string | undefined;
};
