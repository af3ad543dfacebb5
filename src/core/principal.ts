/** What a grant or token may do. */
export const SCOPES = ['web:read', 'browser:use', 'browser:evaluate', 'cache:purge'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is calling. */
export type Principal = {
  /** Opaque and stable: the key of everything a person owns. */
  subject: string;
  scopes: readonly Scope[];
  /** The OAuth client or the access token that a call came with; missing for a person in a browser. */
  client?: string | undefined;
};
