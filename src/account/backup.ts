import { deploymentPart } from '#client/deployment/deployment.ts';
import { DEPLOYMENT_IDENTITY_KEY } from '#client/deployment/sign-in-state.ts';
import * as z from 'zod';
import { isSameSecret } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import type { Config } from '#core/config/config.ts';
import { readBodyText } from '#core/flow/read-capped.ts';
import { KIB, MIB } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { unsealJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import type { StoredObject, StoredRow } from '#core/stored-object.ts';
import { parseJson } from '#core/text/json.ts';
import { hmacSha256, toBase64Url } from '#core/text/text.ts';
import { fromBase64, toBase64 } from '#core/text/base64.ts';
import { addMissingRows, readTableRows, listTables } from '#storage/table-rows.ts';

/**
 * `npm run backup` and `npm run restore` copy all stored data in parts encrypted with the deployment's secret. Each
 * request creates or adds one small part, and can be repeated.
 */

/** The deployment's identity is restored first, because it determines the owner's subject. */
export const DEPLOYMENT_OBJECTS_TO_BACK_UP = ['DEPLOYMENT'] as const;
export const USER_OBJECTS_TO_BACK_UP = ['CLIENT', 'PERSON_STORE'] as const;
export const SESSION_OBJECT_TO_BACK_UP = 'BROWSER_SESSION';
/**
 * Durable Objects that are not copied. They have only the state of running work, which is useless in a restored
 * deployment.
 */
export const OBJECTS_WITHOUT_BACKUP = ['PACE', 'PAGE_RENDERER'] as const;

const DEPLOYMENT = 'deployment';
const KEYS_PER_PART = 100;
/** Maximum bytes of a part: 2 MiB of rows and one row of the largest size, in base64 and encrypted. */
const PART_BYTES_MAX = 16 * MIB;
/** Maximum bytes of the position in a request for a part. It names a table or an object. */
const PLACE_BYTES_MAX = 16 * KIB;
const SEALED_AS: SealContext = { what: 'backup', owner: DEPLOYMENT };
const NEXT_HEADER = 'periscope-next';
/** Minimum remaining lifetime (s) of a restored key: KV refuses a shorter one. */
const KV_SECONDS_MIN = 60;

const objectName = z.enum([...DEPLOYMENT_OBJECTS_TO_BACK_UP, ...USER_OBJECTS_TO_BACK_UP, SESSION_OBJECT_TO_BACK_UP]);
const objectPlace = z.union([
  z.strictObject({ table: z.string(), after: z.number() }),
  z.strictObject({ key: z.string().nullable() }),
]);
const placeSchema = z.union([
  z.strictObject({ step: z.literal('table'), table: z.string(), after: z.number() }),
  z.strictObject({ step: z.literal('keys'), cursor: z.string().nullable() }),
  z.strictObject({
    step: z.literal('object'),
    /** Subject of the user whose objects are copied; `null` for the objects of the deployment. */
    subject: z.string().nullable(),
    index: z.int().min(0),
    from: objectPlace.nullable(),
  }),
]);
type Place = z.infer<typeof placeSchema>;

/** A stored value as JSON that preserves byte arrays, `undefined`, and objects with any property names. */
type Portable =
  | null
  | boolean
  | number
  | string
  | { bytes: string }
  | { list: Portable[] }
  | { fields: [name: string, value: Portable][] }
  | { nothing: true };

export const portableValueSchema: z.ZodType<Portable> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.strictObject({ bytes: z.base64() }),
    z.strictObject({ list: z.array(portableValueSchema) }),
    z.strictObject({ fields: z.array(z.tuple([z.string(), portableValueSchema])) }),
    z.strictObject({ nothing: z.literal(true) }),
  ]),
);

const row = z.array(z.tuple([z.string(), portableValueSchema]));
const partSchema = z.union([
  z.strictObject({ table: z.string(), rows: z.array(row) }),
  z.strictObject({
    keys: z.array(
      z.strictObject({
        name: z.string(),
        value: z.string(),
        ends: z.number().nullable(),
        metadata: portableValueSchema,
      }),
    ),
  }),
  z.strictObject({
    object: objectName,
    name: z.string(),
    rows: z.array(z.strictObject({ table: z.string(), values: row })),
    values: row,
    alarm: z.number().nullable(),
    isLast: z.boolean(),
  }),
]);
type Part = z.infer<typeof partSchema>;

/** Answers requests for backups and restores. @returns `null` for any other request */
export async function handleBackupRequest(request: Request, env: Env, config: Config): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const work = pathname === PATHS.backup ? makePart : pathname === PATHS.restore ? addPart : null;
  if (work === null || request.method !== 'POST') return null;
  const secret = config.SESSION_SECRET;
  if (secret === undefined) return refused(403, 'This deployment has no SESSION_SECRET, so nothing can be sealed.');
  const given = request.headers.get('authorization') ?? '';
  if (!(await isSameSecret(given, `Bearer ${await deriveBackupToken(secret)}`))) {
    return refused(403, 'That is not the SESSION_SECRET of this deployment.');
  }
  return work(request, env, `secret ${secret}`);
}

/** The bearer token for backups. It is derived from the secret without revealing the secret. */
export async function deriveBackupToken(secret: string): Promise<string> {
  return toBase64Url(new Uint8Array(await hmacSha256(secret, 'periscope backup v1')));
}

function refused(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } });
}

async function makePart(request: Request, env: Env, secret: string): Promise<Response> {
  const asked = z
    .object({ at: placeSchema.nullable() })
    .safeParse(parseJson((await readBodyText(request.body, PLACE_BYTES_MAX)) ?? ''));
  if (!asked.success) return refused(400, 'The place is not one of this version.');
  const { part, next } = await partAt(asked.data.at ?? { step: 'object', subject: null, index: 0, from: null }, env);
  const sealed = await sealJson(secret, SEALED_AS, part);
  return new Response(sealed, {
    headers: {
      'cache-control': 'no-store',
      'content-type': 'application/octet-stream',
      ...(next === null ? {} : { [NEXT_HEADER]: JSON.stringify(next) }),
    },
  });
}

type Made = { part: Part; next: Place | null };

async function partAt(place: Place, env: Env): Promise<Made> {
  if (place.step === 'table') return tablePart(place, env);
  return place.step === 'keys' ? keysPart(place, env) : objectPart(place, env);
}

async function tablePart({ table, after }: Extract<Place, { step: 'table' }>, env: Env): Promise<Made> {
  const { rows, next } = await readTableRows(env.DB, { table, after });
  const part = { table, rows: rows.map(toRow) };
  if (next !== null) return { part, next: { step: 'table', ...next } };
  const tables = await listTables(env.DB);
  const following = tables[tables.indexOf(table) + 1];
  return {
    part,
    next: following === undefined ? { step: 'keys', cursor: null } : { step: 'table', table: following, after: 0 },
  };
}

async function keysPart({ cursor }: Extract<Place, { step: 'keys' }>, env: Env): Promise<Made> {
  const listed = await env.OAUTH_KV.list({ limit: KEYS_PER_PART, ...(cursor === null ? {} : { cursor }) });
  const keys = await Promise.all(
    listed.keys.map(async ({ name, expiration, metadata }) => {
      const value = await env.OAUTH_KV.get(name);
      return value === null ? [] : [{ name, value, ends: expiration ?? null, metadata: toPortable(metadata ?? null) }];
    }),
  );
  const next: Place | null = listed.list_complete
    ? await personAfter('', env)
    : { step: 'keys', cursor: listed.cursor };
  return { part: { keys: keys.flat() }, next };
}

async function objectPart(place: Extract<Place, { step: 'object' }>, env: Env): Promise<Made> {
  const { subject, index, from } = place;
  const all = await objectsOf(subject, env);
  const [object, name] = all[index] ?? ['DEPLOYMENT', DEPLOYMENT];
  const found = await getStoredObjectStub(object, name, env).backUp(from);
  const part = {
    object,
    name,
    rows: found.rows.map(({ table, values }) => ({ table, values: toRow(values) })),
    values: found.values.map(([key, value]): [string, ReturnType<typeof toPortable>] => [key, toPortable(value)]),
    alarm: found.alarm,
    isLast: found.next === null,
  };
  if (found.next !== null) return { part, next: { ...place, from: found.next } };
  if (index + 1 < all.length) return { part, next: { ...place, index: index + 1, from: null } };
  if (subject !== null) return { part, next: await personAfter(subject, env) };
  const [table] = await listTables(env.DB);
  return { part, next: table === undefined ? { step: 'keys', cursor: null } : { step: 'table', table, after: 0 } };
}

type ObjectName = z.infer<typeof objectName>;

async function objectsOf(subject: string | null, env: Env): Promise<(readonly [ObjectName, string])[]> {
  if (subject === null) return DEPLOYMENT_OBJECTS_TO_BACK_UP.map((object) => [object, DEPLOYMENT] as const);
  const [kept, open] = await Promise.all([
    partNamed(env.PERSON_STORE, subject, 'history').sessions(),
    deploymentPart(env, 'sessions').list(subject),
  ]);
  const sessions = new Set([...kept, ...open].map(({ name }) => sessionKey(subject, name)));
  return [
    ...USER_OBJECTS_TO_BACK_UP.map((object) => [object, subject] as const),
    ...[...sessions].sort().map((name) => [SESSION_OBJECT_TO_BACK_UP, name] as const),
  ];
}

/**
 * Place of the next person. Other tables than `people` are also searched, because an agent with a token never signs in.
 */
async function personAfter(subject: string, env: Env): Promise<Place | null> {
  const { ownerSubject } = await deploymentIdentity(deploymentPart(env, 'signIn'));
  const found = await env.DB.prepare(
    `SELECT min(subject) AS subject FROM (
      SELECT subject FROM people UNION SELECT subject FROM access_tokens UNION SELECT subject FROM citations
      UNION SELECT owner FROM documents WHERE owner IS NOT NULL UNION SELECT ?1
    ) WHERE subject > ?2`,
  )
    .bind(ownerSubject, subject)
    .first<{ subject: string | null }>('subject');
  const next = z.string().nullable().parse(found);
  return next === null ? null : { step: 'object', subject: next, index: 0, from: null };
}

export function getStoredObjectStub(object: ObjectName, name: string, env: Env): ObjectCalls<StoredObject> {
  const namespaces: Record<ObjectName, DurableObjectNamespace<StoredObject>> = {
    DEPLOYMENT: env.DEPLOYMENT,
    CLIENT: env.CLIENT,
    PERSON_STORE: env.PERSON_STORE,
    BROWSER_SESSION: env.BROWSER_SESSION,
  };
  return objectNamed(namespaces[object], name);
}

/**
 * Ends an object whose storage was replaced. Ending it rejects the call, so the rejection is ignored. The storage is
 * already synced.
 */
export async function endRestoredObject(object: Pick<ObjectCalls<StoredObject>, 'endAfterRestore'>): Promise<void> {
  await object.endAfterRestore().catch(() => undefined);
}

function toRow(values: Record<string, unknown>): z.infer<typeof row> {
  return Object.entries(values).map(([name, value]) => [name, toPortable(value)]);
}

function fromRow(values: z.infer<typeof row>): [string, unknown][] {
  return values.map(([name, value]) => [name, fromPortable(value)]);
}

function toStoredRow(values: z.infer<typeof row>): StoredRow {
  return Object.fromEntries(fromRow(values).map(([name, value]) => [name, toSqlValue(value)]));
}

function toSqlValue(value: unknown): SqlStorageValue {
  if (value instanceof Uint8Array) return Uint8Array.from(value).buffer;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError('a value that no row can have');
}

async function addPart(request: Request, env: Env, secret: string): Promise<Response> {
  const sealed = await readBodyBytes(request.body, PART_BYTES_MAX);
  if (sealed === null) return refused(413, 'The part is too large.');
  const opened = await unsealJson(secret, SEALED_AS, sealed);
  if (opened === null) return refused(400, 'This part was made with another SESSION_SECRET, or it is damaged.');
  const part = partSchema.safeParse(opened);
  if (!part.success) return refused(400, 'This part was made by a version that this one does not understand.');
  return Response.json({ left: await added(part.data, env) });
}

/** Adds a part. @returns number of rows that were not added, for example because this version has no such table */
async function added(part: Part, env: Env): Promise<number> {
  if ('table' in part) {
    return addMissingRows(
      env.DB,
      part.table,
      part.rows.map((values) => Object.fromEntries(fromRow(values))),
    );
  }
  if ('keys' in part) {
    await Promise.all(part.keys.map((key) => addKey(key, env.OAUTH_KV)));
    return 0;
  }
  const object = getStoredObjectStub(part.object, part.name, env);
  const rows = part.rows.map(({ table, values }) => ({ table, values: toStoredRow(values) }));
  const left = await object.restore({ rows, values: fromRow(part.values), alarm: part.alarm }, [
    DEPLOYMENT_IDENTITY_KEY,
  ]);
  if (part.isLast) await endRestoredObject(object);
  return left;
}

type StoredKey = Extract<Part, { keys: unknown }>['keys'][number];

async function addKey({ name, value, ends, metadata }: StoredKey, store: KVNamespace): Promise<void> {
  if (ends !== null && ends < Date.now() / 1_000 + KV_SECONDS_MIN) return;
  if ((await store.get(name)) !== null) return;
  await store.put(name, value, {
    metadata: fromPortable(metadata),
    ...(ends === null ? {} : { expiration: ends }),
  });
}

/** Converts a stored value for a backup. @throws {TypeError} for a type that Periscope never stores */
export function toPortable(value: unknown): Portable {
  if (value === undefined) return { nothing: true };
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (value instanceof ArrayBuffer) return { bytes: toBase64(new Uint8Array(value)) };
  if (value instanceof Uint8Array) return { bytes: toBase64(value) };
  if (Array.isArray(value)) return { list: value.map(toPortable) };
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new TypeError('a stored value of a kind that backups do not know');
  }
  return { fields: Object.entries(value).map(([name, one]) => [name, toPortable(one)]) };
}

export function fromPortable(value: Portable): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('bytes' in value) return fromBase64(value.bytes);
  if ('list' in value) return value.list.map(fromPortable);
  if ('nothing' in value) return undefined;
  return Object.fromEntries(value.fields.map(([name, one]) => [name, fromPortable(one)]));
}

/** Reads a request body as bytes. Returns `null`, without reading further, if the body is larger than `maxBytes`. */
async function readBodyBytes(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
