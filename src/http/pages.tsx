import { Hono } from 'hono';
import { html } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';
import type { Child } from 'hono/jsx';
import { styleHash } from '#pages/layout.tsx';
import { Landing } from '#pages/landing.tsx';
import { Message } from '#pages/message.tsx';

/** Every page that is not the MCP endpoint or one of the provider's. `mcpUrl` is the connector URL to show. */
export async function pages(mcpUrl: string) {
  const app = new Hono();
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: [`'sha256-${await styleHash()}'`],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      xFrameOptions: 'DENY',
      referrerPolicy: 'no-referrer',
    }),
  );
  app.get('/', (c) => c.html(page(<Landing mcpUrl={mcpUrl} />)));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/authorize', (c) =>
    c.html(
      page(
        <Message
          title="Sign-in is not set up"
          text="This server takes access tokens only. Connect with a client that can send an Authorization header."
        />,
      ),
      501,
    ),
  );
  app.notFound((c) => c.html(page(<Message title="Not found" text="There is no page at this address." />), 404));
  app.onError((_, c) =>
    c.html(page(<Message title="Something went wrong" text="The page could not be shown. Try again." />), 500),
  );
  return app;
}

function page(content: Child) {
  return html`<!doctype html>${content}`;
}
