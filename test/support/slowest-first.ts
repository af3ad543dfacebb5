import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Test files that start first: a slow file that starts last runs alone at the end. */
const SLOWEST: readonly string[] = [
  'e2e/hangs',
  'e2e/wrangler-dev',
  'e2e/killed-server',
  'e2e/live-hands',
  'e2e/browser-gate',
  'e2e/peoples-pages',
  'e2e/browser-journey',
  'e2e/held-secrets',
  'e2e/log-lines',
  'e2e/deploy',
  'e2e/follow-kills',
  'e2e/live-view',
  'e2e/start',
  'e2e/backup',
  'faults/browser-calls',
  'secrets/fields',
  'rendering/rendered-mode',
  'secrets/sites',
  'session/files',
  'browsing/recorded',
  'mcp/invisible',
  'session/storms',
  'session/step-list',
  'session/lives',
  'faults/doors',
  'tools/passages-hold',
  'tools/long-pages',
  'secrets/mask',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const slow = SLOWEST.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`${name}.test.ts`)));
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((one) => [...new Set([...slow, ...sorted])].filter(({ project }) => project === one));
  }
}
