import type { SyntheticResponse } from '#browsing/gate/request-gate.ts';

export const BROWSER_TRIAL_PAGE_URL = 'https://periscope-trial.invalid/';
/** A private URL that the trial page requests, and that the request gate must refuse. */
export const BROWSER_TRIAL_FORBIDDEN_URL = 'http://169.254.169.254/periscope-trial';
export const BROWSER_TRIAL_HEADING = 'A page to try the browser with';
export const BROWSER_TRIAL_SCRIPT_TEXT = 'Written by its script.';

export const BROWSER_TRIAL_HTML = `<!doctype html><html lang="en"><title>Periscope</title><link rel="icon" href="data:,">
<h1>${BROWSER_TRIAL_HEADING}</h1><p id="made"></p><img alt="" src="${BROWSER_TRIAL_FORBIDDEN_URL}">
<script>document.getElementById('made').textContent = ['Written by', 'its script.'].join(' ')</script>`;

export const BROWSER_TRIAL_RESPONSE: SyntheticResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  base64: btoa(BROWSER_TRIAL_HTML),
};
