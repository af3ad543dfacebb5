import { REF_NAME_CHARS_MAX, REF_URL_CHARS_MAX } from './limits.ts';

/** What a ref is bound to of an element's own: long names and addresses differ early. */
export type Identity = {
  /** Chromium's role and accessible name. */
  role: string;
  name: string;
  /** Where a link leads; `''` for other elements. */
  url: string;
};

export function identityOf({ role, name, url }: Identity): Identity {
  return { role, name: name.slice(0, REF_NAME_CHARS_MAX), url: url.slice(0, REF_URL_CHARS_MAX) };
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.name === other.name && one.url === other.url;
}
