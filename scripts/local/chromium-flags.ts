import { dirname, join } from 'node:path';

/**
 * Flags of the local browser. They stop requests of the browser's own, because the Worker's request gate sees only
 * those of pages. They also close ways to the network that the gate does not see.
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
 * Added to the features that miniflare disables: a browser honours only the last list. The two about HTTPS load another
 * address than the requested one. Reports are sent unseen by the request gate. Sandboxed frames in their own process
 * start before they can be guarded. A spare process for the next site, which most tabs never use, takes a core from the
 * page that is loading.
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

/** Settings without a flag: no speculative connections, no Google account, no look-ups of opened addresses. */
export const PREFERENCES = JSON.stringify({
  net: { network_prediction_options: 2 },
  signin: { allowed: false, allowed_on_next_startup: false },
  safebrowsing: { enabled: false },
  search: { suggest_enabled: false },
  webrtc: { ip_handling_policy: 'disable_non_proxied_udp' },
});

/**
 * The browser of the npm package has no GPU process and renders in software. Without compositing on the emulated graphics
 * card, a start and a page take a third less processor time.
 */
const BUNDLED = [
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
];

/** @param withoutSandbox for root and CI machines, where a browser cannot set up its sandbox */
export function browserFlags(browser: { isBundled: boolean }, withoutSandbox: boolean): string[] {
  return [
    ...QUIET,
    ...(browser.isBundled ? BUNDLED : []),
    // The zygote stays: a page's process is then a fork of a started one, which takes two thirds of the time.
    ...(withoutSandbox ? ['--no-sandbox'] : []),
  ];
}

/**
 * Variables that Chromium sets while it starts, with the values it sets. setenv(3) moves the table of variables and
 * frees the old one, and a thread that calls getenv(3) at that moment crashes the browser. On a busy machine, up to
 * three of a hundred browsers crashed this way, without a message. A variable that exists is replaced in place.
 */
export function browserEnvironment(browser: { path: string; isBundled: boolean }): Record<string, string> {
  return {
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    FC_FONTATIONS: '1',
    // Only if the browser renders in its own process: in others, the variable would disable the graphics card.
    ...(browser.isBundled ? { VK_ICD_FILENAMES: join(dirname(browser.path), 'vk_swiftshader_icd.json') } : {}),
  };
}
