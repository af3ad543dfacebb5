import { partNamed } from '#core/objects.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { ObjectOfParts } from '#core/stored-object.ts';
import { DeploymentBudgets } from './deployment-budgets.ts';
import { OPEN_SESSIONS_TABLE, SessionRegistry } from './session-registry.ts';
import { SignInState } from './sign-in-state.ts';

/** The single Durable Object for state that all users share and that must be counted in one place. */
export class Deployment extends ObjectOfParts {
  /** The table of open browsers is not backed up, because a restored deployment has none. */
  protected override readonly tablesWithoutBackup: readonly string[] = [OPEN_SESSIONS_TABLE];
  readonly budgets: DeploymentBudgets;
  readonly sessions: SessionRegistry;
  readonly signIn: SignInState;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.budgets = new DeploymentBudgets(state.storage.kv);
    this.sessions = new SessionRegistry(state.storage.sql);
    this.signIn = new SignInState(state.storage);
  }
}

type Part = 'budgets' | 'sessions' | 'signIn';

export function deploymentPart<Name extends Part>(
  { DEPLOYMENT }: Pick<Env, 'DEPLOYMENT'>,
  part: Name,
): ObjectCalls<Deployment[Name]> {
  return partNamed(DEPLOYMENT, 'deployment', part);
}
