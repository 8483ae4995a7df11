import type { ReactNode } from "react";
import { Card } from "../components/Card.tsx";

interface PartProps {
  title: string;
  text: string;
  children: ReactNode;
}

export function Part({ title, text, children }: PartProps) {
  return (
    <section aria-label={title} className="border-t border-line pt-6 pb-12">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-0.5 mb-5 max-w-2xl text-pretty text-ink-muted">{text}</p>
      {children}
    </section>
  );
}

interface ExhibitProps {
  /** Names of the components of components/ and forms/ that are seen here. */
  of: string[];
  text: string;
  /** Without the distance from the card's edges, for what keeps its own. */
  bare?: boolean;
  children: ReactNode;
}

/** A component in its states, under its name. */
export function Exhibit({ of, text, bare = false, children }: ExhibitProps) {
  return (
    <article data-exhibit={of.join(" ")} className="min-w-0">
      <h3 className="font-medium">{of.join(", ")}</h3>
      <p className="mb-2.5 text-sm text-pretty text-ink-muted">{text}</p>
      {bare ? (
        children
      ) : (
        <Card className="p-4">
          <div className="flex flex-wrap items-center gap-3">{children}</div>
        </Card>
      )}
    </article>
  );
}
