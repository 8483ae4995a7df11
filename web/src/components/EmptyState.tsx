import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text: string;
  /** What to do about it. */
  children?: ReactNode;
}

/** Stands where a list would stand, and says what to do. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md grid-cols-[minmax(0,1fr)] justify-items-center gap-1.5 px-6 py-14 text-center">
      {icon && <div className="mb-3 text-ink-faint">{icon}</div>}
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-balance text-ink-muted">{text}</p>
      {children && <div className="mt-5 w-full">{children}</div>}
    </div>
  );
}
