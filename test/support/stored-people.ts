import { deploymentPart } from '#client/deployment/deployment.ts';
import { env } from 'cloudflare:workers';
import { AccessTokenStore, PeopleStore } from '#storage/people.ts';
import { openDb } from '#storage/db.ts';

/** The object behind sign-in, as the Worker calls it. */
export const signInObject = () => deploymentPart(env, 'signIn');

export const accessTokens = () => new AccessTokenStore(openDb(env.DB));

export const personRows = () => new PeopleStore(openDb(env.DB));
