import { isRepeatableCall } from '#browsing/port.ts';
import { isShared } from '#browsing/session/session-name.ts';
import { deploymentPart } from '#client/deployment/deployment.ts';
import { objectNamed } from '#core/objects.ts';

/**
 * Applies saved rules to the running sessions that they bind. A session without a browser loads them when it wakes.
 * @param subject person whose rules were saved; `null` for the owner's rules, which bind every session
 * @returns true if every such session has the rules
 */
export async function tellSessions(
  env: Pick<Env, 'BROWSER_SESSION' | 'DEPLOYMENT'>,
  subject: string | null,
): Promise<boolean> {
  const open = await deploymentPart(env, 'sessions').list(null);
  const bound = open.filter((one) => subject === null || one.subject === subject || isShared(one.name));
  const told = bound.map(({ key }) => objectNamed(env.BROWSER_SESSION, key, isRepeatableCall).rulesChanged());
  return (await Promise.allSettled(told)).every(({ status }) => status === 'fulfilled');
}
