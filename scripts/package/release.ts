import { z } from 'zod';
import type { Aged } from '#scripts/docs/scoreboard/stale.ts';
import { StopError } from '#scripts/local/stop-error.ts';

const manifestSchema = z.object({
  version: z.string(),
  repository: z.object({ url: z.string() }).optional(),
});

const UNRELEASED = /^Not released yet\b/m;

export type Release = {
  /** The text of `package.json`. */
  manifest: string;
  changelog: string;
  /** Rows on the scoreboard page that are not known to be measured on this code. */
  aged: readonly Pick<Aged, 'id' | 'why'>[];
};

/** A reason not to release. The owner provides names, accounts and dates; the project fixes the others. */
export type Obstacle = { reason: string; isForOwner: boolean };

/** @param tag in git, such as `v0.2.0`; `null` if there is none yet */
export function findObstacles(tag: string | null, { manifest, changelog, aged }: Release): Obstacle[] {
  const { version, repository } = manifestSchema.parse(JSON.parse(manifest));
  const section = sectionOf(version, changelog);
  const found: [isInTheWay: boolean, isForOwner: boolean, reason: string][] = [
    [
      tag !== null && tag !== `v${version}`,
      false,
      `The tag is ${tag === '' ? 'missing' : tag}, and package.json has ${version}.`,
    ],
    [section === null, false, `CHANGELOG.md has no section ${version}.`],
    [
      section !== null && UNRELEASED.test(section),
      true,
      `CHANGELOG.md says that ${version} is not released yet: write the date instead.`,
    ],
    [repository === undefined, true, `package.json names no repository: ${NAME_REPOSITORY}`],
    ...aged.map(({ id, why }): [boolean, boolean, string] => [
      true,
      false,
      `Row ${id} of the scoreboard is stale (${why}): npm run scoreboard -- --run ${id}, or npm run scoreboard to leave it out.`,
    ]),
  ];
  return found.flatMap(([isInTheWay, isForOwner, reason]) => (isInTheWay ? [{ reason, isForOwner }] : []));
}

const NAME_REPOSITORY = 'npm pkg set repository.type=git repository.url=git+https://github.com/ACCOUNT/periscope.git';

/**
 * @returns the changelog's text about the version
 * @throws {StopError} with all reasons if this version may not be released
 */
export function notesOf(tag: string, release: Release): string {
  const reasons = findObstacles(tag, release).map(({ reason }) => reason);
  const { version } = manifestSchema.parse(JSON.parse(release.manifest));
  const section = sectionOf(version, release.changelog);
  if (reasons.length > 0 || section === null) throw new StopError(reasons.join('\n'));
  return section;
}

function sectionOf(version: string, changelog: string): string | null {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) return null;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length < 0 ? lines.length : start + 1 + length;
  return `${lines
    .slice(start + 1, end)
    .join('\n')
    .trim()}\n`;
}
