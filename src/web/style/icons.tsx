/** All icons, as paths on a 16 px grid in the colour of the surrounding text. */
const SHAPES = {
  overview: 'M2.5 7 8 2.5 13.5 7v6.5h-4V10h-3v3.5h-4z',
  activity: 'M2 8h3l2-5 3 10 2-5h2',
  browser: 'M2 3h12v10H2zM2 6h12',
  try: 'M5 3.5v9l7-4.5z',
  follow: 'M4 2.5h8v11L8 10.5 4 13.5z',
  change: 'M2.5 6.5h9l-2.5-3M13.5 9.5h-9l2.5 3',
  quote: 'M3 10V6.5A2.5 2.5 0 0 1 5.5 4M9 10V6.5A2.5 2.5 0 0 1 11.5 4M3 10h3V7H3zM9 10h3V7H9z',
  file: 'M2 4.5h4l1.5 2H14V13H2z',
  page: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3',
  client: 'M6 10l4-4M5 7.5 3.5 9A2.5 2.5 0 0 0 7 12.5L8.5 11M11 8.5 12.5 7A2.5 2.5 0 0 0 9 3.5L7.5 5',
  token: 'M8.5 7.5 13.5 2.5M11.5 4.5l1.5 1.5M8.9 10.2a3 3 0 1 1-3-3 3 3 0 0 1 3 3z',
  rule: 'M8 2 13 4v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4zM5.800 8l1.700 1.700 3-3.200',
  secret: 'M3 7h10v6.5H3zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  people:
    'M8.5 5.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM2 13c.4-2.4 2-3.5 4-3.5s3.6 1.1 4 3.5M11 3.500v4M11.5 9.700l2.5 3',
  usage: 'M3 13V8M8 13V3M13 13V6',
  health: 'M8 13.5S2.5 10.3 2.5 6.3A2.9 2.9 0 0 1 8 5a2.9 2.9 0 0 1 5.5 1.3c0 4-5.5 7.2-5.5 7.2z',
  store:
    'M3 4c0-1 2.2-1.8 5-1.8s5 .8 5 1.8-2.2 1.8-5 1.8S3 5 3 4zM3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  settings: 'M2 5h7M13 5h1M11 3v4M2 11h1M7 11h7M5 9v4',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.5 3.5',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 9h5.8l.6-9',
  failed: 'M8 6v3.5M8 11.5v.01M2.5 13.5 8 3l5.5 10.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M4 6l4 4 4-4',
  mark: 'M5 13V6a3 3 0 0 1 3-3h4v3.5H8.6V13',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <span class="logo">
      <Icon name="mark" />
    </span>
  );
}
