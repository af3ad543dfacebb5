import { ALL_KINDS, factsOf } from '#core/kinds.ts';
import type { Kind } from '#core/kinds.ts';

/** Types that say nothing: what the body is must show elsewhere. */
export const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
  'application/force-download',
  'application/x-download',
  'application/download',
]);

const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map(
  ALL_KINDS.flatMap((kind) => factsOf(kind).types.map((type) => [type, kind] as const)),
);

/** Text under `application/` that is read as it stands. */
const TEXT_SUBTYPES =
  /^(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sh|shellscript|csh|perl|python|ruby|php|httpd-php|sql|tex|latex|graphql|ndjson|jsonl|json-lines|jsonlines|json-seq|n-triples|n-quads|trig|sparql-query|x509-ca-cert|pem-file|pgp-signature|subrip|node|rtf-text)$/;

/** The kind a declared type stands for, or `null` when nothing readable does. */
export function kindOfType(essence: string): Kind | null {
  const exact = KIND_OF_TYPE.get(essence);
  if (exact !== undefined) return exact;
  if (essence === 'image/svg+xml') return null;
  if (/^(?:image|audio|video|font|model)\//.test(essence)) return null;
  if (essence.endsWith('+json')) return 'json';
  if (essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/')) return 'text';
  return TEXT_SUBTYPES.test(essence.replace(/^application\//, '')) ? 'text' : null;
}

/** The media type of a body that came without one. */
export function typeOfKind(kind: Kind): string {
  const { types, unlabelled } = factsOf(kind);
  return unlabelled ?? types[0];
}
