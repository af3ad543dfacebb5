import { serve } from './app.ts';

export { ClientState } from '#client/client-state.ts';

export default { fetch: serve } satisfies ExportedHandler<Env>;
