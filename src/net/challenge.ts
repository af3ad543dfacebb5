import { isBotWall } from './bot-walls.ts';
import { isLoginWall } from './login-walls.ts';
import { outlinePage } from './page-outline.ts';

export type ChallengeInput = {
  status: number;
  headers: Headers;
  requestedUrl: string;
  finalUrl: string;
  /** The decoded body when it is HTML, else `null`. */
  html: string | null;
};

/** Whether an answer stands in the way of the page instead of being it; `null` when it is the page. Linear. */
export function detectChallenge(input: ChallengeInput): 'bot_wall' | 'login_wall' | null {
  const page = input.html === null ? null : outlinePage(input.html);
  if (isBotWall({ status: input.status, headers: input.headers, page })) return 'bot_wall';
  return isLoginWall({ ...input, page }) ? 'login_wall' : null;
}
