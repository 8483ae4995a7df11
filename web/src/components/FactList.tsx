import { Fragment, type ReactNode } from "react";

/** What a value is called, and the value; without one there is no line. */
export type LabelledValue = readonly [label: string, value: ReactNode];

/** Facts under one another, their names at the left. */
export function FactList({ facts }: { facts: readonly LabelledValue[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(5.5rem)_minmax(0,1fr)] content-start gap-x-3 gap-y-1.5 text-sm">
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([label, value]) => (
          <Fragment key={label}>
            <dt className="text-ink-faint">{label}</dt>
            <dd className="break-words">{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
