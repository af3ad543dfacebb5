import { Hono } from 'hono';
import { PATHS } from '#core/paths.ts';
import { sha256Hex } from '#core/text/text.ts';
import { page, setCookies } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { Brand, Layout, Message } from '#web/layout.tsx';
import type { PageDeps } from '#web/sign-in/page-deps.ts';

const SECRET = /^[\w-]{32}$/;

/** `/invitation/<secret>`: the page of an invited person. Signing in from this page accepts the invitation. */
export function invitationPages(deps: PageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(`${PATHS.invitation}/:secret`, async (c) => {
    c.header('X-Robots-Tag', 'noindex, nofollow');
    c.header('Referrer-Policy', 'no-referrer');
    const secret = c.req.param('secret');
    const invitation = SECRET.test(secret) ? await deps.people.admissions.invitation(await sha256Hex(secret)) : null;
    if (invitation === null || deps.upstreams.length === 0) {
      deps.refused('invitation_unknown', 404);
      return page(c, <Message {...NOT_OPEN} />, 404);
    }
    const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
    setCookies(c, [setCookie]);
    return page(
      c,
      <Invited host={new URL(deps.origin).host} form={token} invitation={secret} ways={deps.upstreams} />,
      200,
    );
  });
  return app;
}

const NOT_OPEN = {
  title: 'This invitation is no longer valid',
  text: 'It was used, withdrawn or is older than seven days. Ask whoever sent it for a new one.',
};

type Props = { host: string; form: string; invitation: string; ways: readonly { way: string; label: string }[] };

function Invited({ host, form, invitation, ways }: Props) {
  return (
    <Layout title="You are invited – Periscope" width="sheet">
      <Brand host={host} />
      <h1>You are invited</h1>
      <p class="lead">Sign in to accept. From then on you can sign in here with that account.</p>
      <p class="facts">
        Periscope lets language models search, read and cite the web and drive a browser. The owner of this server sees
        who you are and how much you use the server, and can end your access. <a href={PATHS.privacy}>What is stored</a>
      </p>
      <form method="post" action={PATHS.signInUpstream}>
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="next" value={PATHS.console} />
        <input type="hidden" name="client" value="" />
        <input type="hidden" name="invitation" value={invitation} />
        <div class="ways">
          {ways.map(({ way, label }) => (
            <button type="submit" name="way" value={way}>
              Accept with {label}
            </button>
          ))}
        </div>
      </form>
    </Layout>
  );
}
