import { serve } from './app.ts';
import { tidy } from './scheduled.ts';

export { PageRenderer } from '#browsing/rendering/renderer-object.ts';
export { SessionRegistry } from '#browsing/session/registry-object.ts';
export { BrowserSession } from '#browsing/session/session-object.ts';
export { ClientState } from '#client/client-state.ts';
export { DeploymentBudgets } from '#client/deployment-budgets.ts';
export { SearchLimiter } from '#client/rate-limiter.ts';
export { SignInState } from '#client/sign-in-state.ts';
export { PersonFiles } from '#storage/person-files.ts';
export { PersonHistory } from '#storage/person-history.ts';
export { PageLease } from '#storage/page-lease.ts';

export default { fetch: serve, scheduled: tidy } satisfies ExportedHandler<Env>;
