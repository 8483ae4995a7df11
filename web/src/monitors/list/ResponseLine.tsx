import { linePoints } from "./line-points.ts";

const size = { width: 44, height: 18 };

/** The response times of the last 24 hours as a line; the figure beside it says how long the last check took. */
export function ResponseLine({ values }: { values: readonly (number | null)[] }) {
  return (
    <svg aria-hidden viewBox={`0 0 ${size.width} ${size.height}`} className="block h-4.5 w-11 shrink-0">
      {linePoints(values, size).map((points) => (
        <polyline
          key={points}
          points={points}
          className="fill-none stroke-series"
          strokeWidth={1.25}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
