import { PageRenderer } from '#browsing/rendering/renderer-object.ts';
import { SessionRegistry } from '#browsing/session/registry-object.ts';
import { BrowserSession } from '#browsing/session/session-object.ts';
import { ClientState } from '#client/client-state.ts';
import { DeploymentBudgets } from '#client/deployment-budgets.ts';
import { SearchLimiter } from '#client/rate-limiter.ts';
import { SignInState } from '#client/sign-in-state.ts';
import { HostPace } from '#client/host-pace.ts';
import { PersonFiles } from '#storage/person/person-files.ts';
import { PersonHistory } from '#storage/person/person-history.ts';
import { StoredObject } from '#core/stored-object.ts';
import { PageLease } from '#storage/pages/page-lease.ts';
import { hideErrorMessages } from '#telemetry/log.ts';
import { serve } from './app.ts';
import { Follow } from './follow-round.ts';
import { runHourly } from './scheduled.ts';

for (const object of [
  BrowserSession,
  ClientState,
  DeploymentBudgets,
  HostPace,
  PageLease,
  PageRenderer,
  PersonFiles,
  PersonHistory,
  SearchLimiter,
  SessionRegistry,
  SignInState,
  StoredObject,
]) {
  hideErrorMessages(object);
}

export {
  BrowserSession,
  ClientState,
  DeploymentBudgets,
  Follow,
  HostPace,
  PageLease,
  PageRenderer,
  PersonFiles,
  PersonHistory,
  SearchLimiter,
  SessionRegistry,
  SignInState,
};

export default { fetch: serve, scheduled: runHourly } satisfies ExportedHandler<Env>;
