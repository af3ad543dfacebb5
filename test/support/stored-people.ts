import { env } from 'cloudflare:workers';
import { objectNamed } from '#core/objects.ts';
import { AccessTokenStore, PersonStore } from '#storage/people.ts';
import { openDb } from '#storage/db.ts';

/** The one object behind sign-in, as the Worker calls it. */
export const signInObject = () => objectNamed(env.SIGN_IN, 'deployment');

/** The access tokens that are stored. */
export const accessTokens = () => new AccessTokenStore(openDb(env.DB));

/** Who has signed in, and which sign-ins ended. */
export const personRows = () => new PersonStore(openDb(env.DB));
