import { PATHS } from '#core/paths.ts';
import { PublicPage } from './public-page.tsx';

export type Kept = {
  /** Number of days for which activity is stored; 0 if it is not stored. */
  activityDays: number;
  /** True if the log contains the full URL of each page. */
  wholeUrls: boolean;
  /** Provider of web searches; `null` if there is none. */
  webSearch: string | null;
};

/** `/privacy`: the data that this server stores about people with its current settings. */
export function Privacy({ activityDays, wholeUrls, webSearch }: Kept) {
  return (
    <PublicPage title="Privacy – Periscope">
      <h1>Privacy</h1>
      <p class="lead">This server belongs to the person who runs it. They can read its database and its log.</p>
      <h2>What is stored</h2>
      <ul>
        <li>
          Pages that your model opens. A public page is shared with everyone on this server, without your name. A
          private page is stored for you alone.
        </li>
        <li>
          {activityDays === 0
            ? 'No history of what your model does.'
            : `What your model does, for ${activityDays} ${activityDays === 1 ? 'day' : 'days'}. Only you see it in the console, and you can delete it.`}
        </li>
        <li>Your citations and files, what you follow, and your browser sessions with their sign-ins.</li>
        <li>Your passwords and codes, encrypted. Models use them but never see them.</li>
        <li>
          Your account: an ID and the name or address that your sign-in provider sends, and when you were here last. The
          owner also sees how much you use.
        </li>
      </ul>
      <h2>What is logged</h2>
      <p>
        One line for each call: the tool, the time, the result, a pseudonym for you, and{' '}
        {wholeUrls ? 'the address of the page' : 'the site of the page'}. The log has no page text and no password.
      </p>
      <h2>Who else is asked</h2>
      <p>
        {webSearch === null
          ? 'No search provider: web search is not set up here.'
          : `Your model’s search queries go to a provider: ${webSearch.replace(/^the web, through /, '')}.`}{' '}
        The sites that your model opens see this server, not you, unless you sign in there.
      </p>
      <h2>Cookies</h2>
      <p>These pages set cookies for sign-in only. They load nothing from other servers and track nobody.</p>
      <p>
        See and delete what is yours in the <a href={PATHS.console}>console</a>;{' '}
        <a href={PATHS.account}>your account</a> has a copy of it, and deletes all of it at once.
      </p>
    </PublicPage>
  );
}
