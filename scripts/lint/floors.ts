/**
 * The floors of `src`, the lowest first. A room is a folder. It imports its own files, generated files and rooms on
 * lower floors, but no room on its own floor or above. `npm run floors` writes the lint rules.
 */
export type Floor = {
  /** The message of the lint rule. */
  rule: string;
  rooms: readonly string[];
  /** Rooms on lower floors that this floor does not import. */
  not?: readonly string[];
};

const PARTS = ['net', 'extract', 'ranking', 'storage', 'client', 'telemetry'];

export const FLOORS: readonly Floor[] = [
  { rooms: ['core'], rule: 'The ground imports nothing above it.' },
  { rooms: PARTS, rule: 'A part imports core and its own rooms; features join parts.' },
  {
    rooms: ['reading', 'search', 'browsing'],
    rule: 'A feature imports parts and core; features do not know each other.',
  },
  {
    rooms: ['library'],
    not: ['search', 'browsing'],
    rule: 'The library is the one feature that knows another: reading.',
  },
  { rooms: ['tools'], not: PARTS, rule: 'A tool calls features; parts and doors are not its business.' },
  { rooms: ['auth'], not: ['net', 'extract'], rule: 'Sign-in knows no page and no protocol but OAuth.' },
  {
    rooms: ['account'],
    not: ['extract', 'reading', 'search'],
    rule: 'What is stored for a person, as a whole: no pages.',
  },
  {
    rooms: ['mcp'],
    not: ['net', 'extract', 'auth', 'account'],
    rule: 'The protocol calls tools: never the network, extractors or sign-in.',
  },
  {
    rooms: ['web'],
    not: ['net', 'extract'],
    rule: 'A page calls tools, features, storage and sign-in, never the network or extractors.',
  },
];

/** Floors within a room. Files outside the folders are above them all, unless `shared` names them. */
export const INNER: Readonly<Record<string, { floors: readonly Floor[]; shared?: readonly string[] }>> = {
  browsing: {
    floors: [
      { rooms: ['cdp', 'tree', 'in-page', 'ask'], rule: 'This floor of browsing imports no other room of it.' },
      ...[
        ['gate', 'rules'],
        ['tabs'],
        ['refs', 'settle', 'layout', 'secrets'],
        ['view', 'act', 'see', 'read', 'park'],
        ['locate', 'live-view'],
        ['session', 'rendering'],
      ].map((rooms) => ({ rooms, rule: 'A room of browsing imports the rooms below its floor, parts and core.' })),
    ],
  },
  mcp: {
    floors: [{ rooms: ['run'], rule: 'The pipeline of a call knows nothing of connections and messages.' }],
    shared: ['limits.ts', 'resource-uris.ts'],
  },
  auth: {
    floors: [
      { rooms: ['people'], not: ['tools'], rule: 'Who people are knows nothing of the server and its pages.' },
      { rooms: ['server'], rule: 'The authorization server imports people, never pages.' },
    ],
    shared: ['limits.ts'],
  },
};
