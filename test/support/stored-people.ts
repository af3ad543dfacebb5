import { deploymentPart } from '#client/deployment/deployment.ts';
import { env } from 'cloudflare:workers';
import { AccessTokenStore, PeopleStore } from '#storage/people.ts';
import { openDb } from '#storage/db.ts';

/** The one object behind sign-in, as the Worker calls it. */
export const signInObject = () => deploymentPart(env, 'signIn');

/** The access tokens that are stored. */
export const accessTokens = () => new AccessTokenStore(openDb(env.DB));

/** Who has signed in, and which sign-ins ended. */
export const personRows = () => new PeopleStore(openDb(env.DB));
