/**
 * Platform costs of one call, as counts. `costs.test.ts` in `test/worker` and `test/browser` counts them again on the
 * real runtime and fails when a figure here is outdated. It cannot count CPU time: that comes from `npm run bench` for
 * a page of 200 KB, on two busy cores, so it is rather too high.
 */
type CallCost = {
  /** Requests to Durable Objects, those between objects included. */
  objectRequests: number;
  /** Round trips to D1, and the rows they read and wrote. */
  d1Trips: number;
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
  /** Rows, values and alarms that objects wrote. */
  objectRowsWritten: number;
  /** Milliseconds in the Worker. */
  cpuMs: number;
};

export const CALLS = {
  coldOpen: {
    objectRequests: 5,
    d1Trips: 4,
    rowsRead: 19,
    rowsWritten: 19,
    kvReads: 1,
    objectRowsWritten: 12,
    cpuMs: 390,
  },
  cachedOpen: {
    objectRequests: 3,
    d1Trips: 1,
    rowsRead: 9,
    rowsWritten: 0,
    kvReads: 1,
    objectRowsWritten: 12,
    cpuMs: 25,
  },
  scroll: { objectRequests: 2, d1Trips: 0, rowsRead: 0, rowsWritten: 0, kvReads: 1, objectRowsWritten: 8, cpuMs: 13 },
  find: { objectRequests: 2, d1Trips: 0, rowsRead: 0, rowsWritten: 0, kvReads: 1, objectRowsWritten: 8, cpuMs: 30 },
  browserCall: {
    objectRequests: 3,
    d1Trips: 0,
    rowsRead: 0,
    rowsWritten: 0,
    kvReads: 1,
    objectRowsWritten: 6,
    cpuMs: 15,
  },
  /** Costs of a page in a round, with its share of the round; `test/worker/library/costs.test.ts` counts them. */
  followedSame: {
    objectRequests: 7,
    d1Trips: 4,
    rowsRead: 28,
    rowsWritten: 0,
    kvReads: 0,
    objectRowsWritten: 0,
    cpuMs: 25,
  },
  followedChanged: {
    objectRequests: 7,
    d1Trips: 8,
    rowsRead: 60,
    rowsWritten: 23,
    kvReads: 0,
    objectRowsWritten: 0,
    cpuMs: 390,
  },
} as const satisfies Record<string, CallCost>;
