export function viewport(): { width: number; height: number; density: number } {
  return { width: innerWidth, height: innerHeight, density: devicePixelRatio };
}

export async function drawn(): Promise<void> {
  const pending = [...document.images].filter((image) => !image.complete && image.loading !== 'lazy');
  const loaded = pending.map(
    (image) =>
      new Promise<void>((resolve) => {
        image.addEventListener('load', () => resolve());
        image.addEventListener('error', () => resolve());
      }),
  );
  await Promise.all([document.fonts.ready, ...loaded]);
}
