import { z } from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';

const manifestSchema = z.object({
  version: z.string(),
  repository: z.object({ url: z.string() }).optional(),
});

const UNRELEASED = /^Not released yet\b/m;

/**
 * @param tag of git, such as `v0.2.0`
 * @returns what the changelog says of it
 * @throws {StopError} when this version may not be released, with all reasons
 */
export function notesOf(tag: string, manifest: string, changelog: string): string {
  const { version, repository } = manifestSchema.parse(JSON.parse(manifest));
  const section = sectionOf(version, changelog);
  const reasons = [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag || 'missing'}, and package.json has ${version}.`]),
    ...(section === null ? [`CHANGELOG.md has no section ${version}.`] : []),
    ...(section !== null && UNRELEASED.test(section) ? [`CHANGELOG.md says that ${version} is not released yet.`] : []),
    ...(repository === undefined
      ? [
          'package.json names no repository: npm pkg set repository.type=git repository.url=git+https://github.com/ACCOUNT/periscope.git',
        ]
      : []),
  ];
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
