import type { ReactNode } from "react";

/** A raised sheet on the page. */
export function Card({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <div className={`rounded-lg border border-line bg-surface shadow-card ${className}`}>{children}</div>
  );
}
