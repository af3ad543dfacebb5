import { bits } from './bits.ts';
import type { Section } from './section.ts';

/** The headings nearest to a question, for a page without a passage that fits. */
export class NearHeadings {
  #best: { section: Section; worth: number }[] = [];

  add(section: Section, mask: number): void {
    const worth = bits(mask) * LEVELS - section.level;
    this.#best.push({ section, worth });
    if (this.#best.length <= 2 * HEADINGS_MAX) return;
    this.#best = this.#sorted();
  }

  list(): Section[] {
    return this.#sorted()
      .map(({ section }) => section)
      .sort((a, b) => a.loc - b.loc);
  }

  #sorted() {
    return this.#best.sort((a, b) => b.worth - a.worth || a.section.loc - b.section.loc).slice(0, HEADINGS_MAX);
  }
}

const LEVELS = 7;
const HEADINGS_MAX = 4;
