import { serve } from './app.ts';

export { ClientState } from '#client/client-state.ts';
export { SearchLimiter } from '#client/rate-limiter.ts';
export { PageLease } from '#storage/page-lease.ts';

export default { fetch: serve } satisfies ExportedHandler<Env>;
