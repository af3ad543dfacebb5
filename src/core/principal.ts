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
  /** Opaque and stable: the key of everything that a person owns. */
  subject: string;
  scopes: readonly Scope[];
  /** OAuth client or access token; missing for a person in a browser. */
  client?: string | undefined;
};
