import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAIMS, constantsOf, isChecked, LISTS, NOT_OURS, untold, wrongClaims } from './docs/claims.ts';
import { packagesOf, wrongDoors, wrongMentions } from './docs/mentions.ts';
import { wordsOfSchema, wrongCalls, wrongGuide } from './docs/tool-calls.ts';
import { SCOPES } from '#core/principal.ts';
import { CATALOG } from '#tools/catalog.ts';

/**
 * Checks the documents: a step of `npm run check`. Every file, folder, command, link and name that they mention exists.
 * Tool calls in documents and skills have existing parameters, and numbers are those of the code. Each package is
 * imported only where `docs/architecture.md` says, and lists are complete.
 */

process.chdir(join(import.meta.dirname, '..'));
const CODE =
  /^(?:src|generated|scripts|bench|test|migrations)\/.*\.(?:tsx?|mjs|sql|json|html|css)$|^[\w.-]+\.(?:toml|json|ts)$/;

/** Names in other programs, and log entries that the code composes. */
const ELSEWHERE = new Set(['pass_ip', 'HTTPS_PROXY', 'upstream_unreachable', 'upstream_unavailable', 'status_404']);

/** Words in skills that are neither tools nor parameters: errors, a step of `browser_do`, a value of `library`. */
const NOT_PARAMETERS = new Set(['stale_ref', 'element_not_usable', 'quote_not_found', 'expect', 'all']);

/** A skill has to fit every deployment, including one without a web search. */
const tools = new Map(
  CATALOG.map(({ name, offer, parse }) => {
    const { inputSchema } = offer({ browser: true, scripts: true, webSearch: false }, SCOPES);
    const words = wordsOfSchema(inputSchema);
    return [name, { words, accepts: (input: unknown) => parse(input).ok }];
  }),
);

const tracked = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
if (tracked.status !== 0) throw new Error(`git ls-files: ${tracked.stderr}`);
const files = tracked.stdout.split('\n').filter((file) => file !== '');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
const read = (file: string) => readFileSync(file, 'utf8');
const words = new Set(files.filter((file) => CODE.test(file)).flatMap((file) => read(file).match(/\w+/g) ?? []));

const repository = { files: new Set(files), commands: new Set(Object.keys(scripts)), words, read };
const documents = files.filter((file) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(file));
const skills = files.filter((file) => /^skills\/.*\.md$/.test(file));
const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file));
const code = files.filter((file) => /^(?:src|scripts)\/.*\.tsx?$/.test(file));
const constants = constantsOf(new Map(code.map((file) => [file, read(file)])));
const wrong = [
  ...[...documents, ...skills].flatMap((file) => wrongMentions(file, read(file), repository, ELSEWHERE)),
  ...documents.flatMap((file) => wrongCalls(file, read(file), tools)),
  ...skills.flatMap((file) => wrongGuide(file, read(file), tools, NOT_PARAMETERS)),
  ...wrongDoors(read('docs/architecture.md'), new Map(sources.map((file) => [file, packagesOf(read(file))]))),
  ...documents
    .filter(isChecked)
    .flatMap((file) => wrongClaims(file, read(file), CLAIMS[file] ?? [], NOT_OURS[file] ?? [], constants)),
  ...LISTS.flatMap((list) => untold(list, read)),
];
for (const line of wrong) console.error(line);
if (wrong.length > 0) {
  console.error('Say what is there now, or take the mention out.');
  process.exitCode = 1;
}
