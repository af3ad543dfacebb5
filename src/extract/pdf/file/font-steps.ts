/** Thrown for a font that pdf.js may read differently than this code, or that takes too many steps. */
export class UnclearFontError extends Error {}

/** @throws {UnclearFontError} always */
export function failUnclearFont(): never {
  throw new UnclearFontError('unclear font');
}

export class FontStepCounter {
  count = 0;
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  /** @throws {UnclearFontError} if the steps exceed the maximum */
  spend(steps: number): void {
    this.count += steps;
    if (this.count > this.max) failUnclearFont();
  }
}
