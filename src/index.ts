export { ClientState } from '#client/client-state.ts';

export default {
  fetch: async (request, env, ctx) => (await import('./app.ts')).serve(request, env, ctx),
} satisfies ExportedHandler<Env>;
