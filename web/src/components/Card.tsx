import { type CSSProperties, Fragment, type ReactNode, useId } from "react";

export function Card({
  className = "",
  style,
  children,
}: {
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <div
      style={style}
      className={`relative rounded-lg border border-line bg-surface shadow-card ${className}`}
    >
      {children}
    </div>
  );
}

/** A card with a heading, and what belongs beside it at its right. */
export function Section({
  title,
  trailing,
  children,
}: {
  title: string;
  trailing?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Card className="min-w-0">
      <section aria-labelledby={id}>
        <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-2.5 pb-1">
          <h2 id={id} className="font-medium">
            {title}
          </h2>
          {trailing}
        </div>
        {children}
      </section>
    </Card>
  );
}

/** What a value is called, and the value; without one there is no line. */
export type LabelledValue = readonly [label: string, value: ReactNode];

/** Details under one another, their names at the left. */
export function DetailList({ details }: { details: readonly LabelledValue[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(5.5rem)_minmax(0,1fr)] content-start gap-x-3 gap-y-1.5 text-sm">
      {details
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
