import { type ReactNode, useId } from "react";
import { Card } from "./Card.tsx";

/** A card with a heading, and what belongs beside it at its right. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
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
          {aside}
        </div>
        {children}
      </section>
    </Card>
  );
}
