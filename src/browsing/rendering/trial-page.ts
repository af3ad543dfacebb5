import type { SyntheticResponse } from '#browsing/gate/request-gate.ts';

export const TRIAL_URL = 'https://periscope-trial.invalid/';
/** A private URL that the trial page requests, and that the request gate must refuse. */
export const TRIAL_PRIVATE_URL = 'http://169.254.169.254/periscope-trial';
export const TRIAL_TEXT = 'A page to try the browser with';
export const TRIAL_SCRIPT_TEXT = 'Written by its script.';

export const TRIAL_HTML = `<!doctype html><html lang="en"><title>Periscope</title><link rel="icon" href="data:,">
<h1>${TRIAL_TEXT}</h1><p id="made"></p><img alt="" src="${TRIAL_PRIVATE_URL}">
<script>document.getElementById('made').textContent = ['Written by', 'its script.'].join(' ')</script>`;

export const TRIAL_ANSWER: SyntheticResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  base64: btoa(TRIAL_HTML),
};
