import type { ReactNode } from "react";

interface MoreMembersProps {
  /** How much there is. */
  label: string;
  className: string;
  children: ReactNode;
}

/** What is said of the other monitors of an incident, after the first: folded, or it would be most of the page. */
export function MoreMembers({ label, className, children }: MoreMembersProps) {
  return (
    <details className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-sm text-ink-muted">{label}</summary>
      <div className={`mt-2 grid min-w-0 ${className}`}>{children}</div>
    </details>
  );
}
