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
  /** Opaque and stable key of all data of a user. */
  subject: string;
  scopes: readonly Scope[];
  /** OAuth client or access token; missing for a user in a browser. */
  client?: string | undefined;
};
