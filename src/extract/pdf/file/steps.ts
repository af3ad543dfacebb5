/** A font is built in a way that pdf.js may read differently, or it takes too many steps. */
export class UnclearFontError extends Error {}

/** @throws {UnclearFontError} */
export function failUnclear(): never {
  throw new UnclearFontError('unclear font');
}

/** Counts the steps that pdf.js takes through the glyphs of a font. */
export class FontSteps {
  count = 0;
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  /** @throws {UnclearFontError} above the maximum */
  spend(steps: number): void {
    this.count += steps;
    if (this.count > this.max) failUnclear();
  }
}
