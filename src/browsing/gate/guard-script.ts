import * as pageScripts from '#browsing/in-page/sources.js';

/**
 * Run before any other script of a document or worker. They remove features whose traffic the request gate cannot see.
 */
export const DOCUMENT_GUARD = `(${pageScripts.guardDocument})();`;
export const NO_SHARED_WORKER = `(${pageScripts.forbidSharedWorkers})();`;
export const WORKER_GUARD = `(${pageScripts.guardWorker})();`;
