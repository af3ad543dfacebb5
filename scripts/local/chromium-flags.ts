import { dirname, join } from 'node:path';

/**
 * Flags of the local browser. They keep it from sending anything of its own accord, because only what the pages ask
 * for passes the request gate of the Worker, and from reaching the network by ways the gate does not see.
 */

/** No updates, reports, field trials or account; no look-ups and connections ahead of a request; no QUIC, no UDP. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-field-trial-config',
  '--disable-quic',
  '--disable-sync',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--gaia-url=https://gaia.invalid',
  '--gcm-checkin-url=https://gcm.invalid',
  '--gcm-registration-url=https://gcm.invalid',
  '--google-base-url=https://google.invalid',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/**
 * Added to the features that miniflare switches off: a browser honours only the last list. The two about HTTPS load
 * another address than the one that was asked for; reports go out unseen by the request gate; sandboxed frames in a
 * process of their own start before they can be guarded; a spare process for the next site, which most tabs never use,
 * takes a core from the page that is loading.
 */
export const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'IsolateSandboxedIframes',
  'LoadingPredictorUseOptimizationGuide',
  'NetworkErrorLogging',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'OptimizationGuideModelDownloading',
  'Prerender2',
  'Reporting',
  'SpareRendererForSitePerProcess',
  'SpeculationRulesPrefetchFuture',
];

/** What no flag says: no connections on a guess, no Google account, no look-ups of addresses that are opened. */
export const PREFERENCES = JSON.stringify({
  net: { network_prediction_options: 2 },
  signin: { allowed: false, allowed_on_next_startup: false },
  safebrowsing: { enabled: false },
  search: { suggest_enabled: false },
  webrtc: { ip_handling_policy: 'disable_non_proxied_udp' },
});

/**
 * The browser of the npm package is built without a GPU process and draws in software. `--disable-gpu-compositing` would halve the
 * processor time, but touches that DevTools sends then never arrive.
 */
const BUNDLED = ['--in-process-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/**
 * @param withoutSandbox as root and on CI machines, where a browser cannot set one up
 */
export function browserFlags(browser: { isBundled: boolean }, withoutSandbox: boolean): string[] {
  return [
    ...QUIET,
    ...(browser.isBundled ? BUNDLED : []),
    // The zygote stays: a page's process is then a fork of one that has started, which takes two thirds of the time.
    ...(withoutSandbox ? ['--no-sandbox'] : []),
  ];
}

/**
 * Variables that Chromium sets while it starts, with the values it sets. setenv(3) moves the table of variables for a new one
 * and frees the old table. A thread that calls getenv(3) at that moment crashes the browser: on a busy machine, up to three of a
 * hundred browsers ended so, without a message. A variable that exists is replaced in its place.
 */
export function browserEnvironment(browser: { path: string; isBundled: boolean }): Record<string, string> {
  return {
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    FC_FONTATIONS: '1',
    // Only where the browser draws in its own process: the variable would keep others from the graphics card.
    ...(browser.isBundled ? { VK_ICD_FILENAMES: join(dirname(browser.path), 'vk_swiftshader_icd.json') } : {}),
  };
}
