/** Writes a number with its unit. The plural of the unit must end in `s`. */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
