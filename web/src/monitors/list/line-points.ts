/** Room for the line's own width. */
const edge = 1.5;

/**
 * The points of a line through the values, from 0 to a little over the largest one (`top` where that is given), as SVG has them: a line for each
 * stretch without a gap, and a short one for a value that stands alone.
 */
export function linePoints(
  values: readonly (number | null)[],
  { width, height }: { width: number; height: number },
  top = 0,
): string[] {
  const most = Math.max(top, ...values.map((value) => value ?? 0));
  if (most === 0 && values.every((value) => value === null)) return [];
  const stepX = (width - 2 * edge) / Math.max(1, values.length - 1);
  const y = (value: number) => height - edge - (most === 0 ? 0 : (value / most) * (height - 2 * edge));
  const lines: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)?.push(`${round(edge + at * stepX)},${round(y(value))}`);
  }
  return lines.flatMap((line) => {
    const [first] = line;
    if (first === undefined) return [];
    return [line.length > 1 ? line.join(" ") : `${first} ${first}`];
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
