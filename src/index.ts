import { DurableObject } from 'cloudflare:workers';

export class ClientState extends DurableObject {}

export default {
  fetch() {
    return new Response('periscope');
  },
} satisfies ExportedHandler<Env>;
