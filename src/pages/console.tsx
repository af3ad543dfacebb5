import { PATHS } from '#core/paths.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { CONSOLE_PLACES } from './console-places.ts';

/** `/console`: what a signed-in person can look after here. */
export function Console({ mcpUrl, visitor }: { mcpUrl: string; visitor: Visitor }) {
  const places = CONSOLE_PLACES.filter(({ path, isOwners = false }) => {
    return path !== PATHS.console && (visitor.isOwner || !isOwners);
  });
  return (
    <ConsolePage visitor={visitor} title="Console" at={PATHS.console}>
      <p class="lead">
        Connector URL: <code>{mcpUrl}</code>
      </p>
      <p>
        <a href="/#connect">Connect a client</a> with it, and what its model does appears here.
      </p>
      <ul class="cards">
        {places.map((place) => (
          <Entry {...place} />
        ))}
      </ul>
    </ConsolePage>
  );
}

function Entry({ path, label, text }: { path: string; label: string; text: string }) {
  return (
    <li>
      <div>
        <a href={path}>{label}</a>
        <p class="facts">{text}</p>
      </div>
    </li>
  );
}
