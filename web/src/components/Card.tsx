import type { CSSProperties, ReactNode } from "react";

/** A raised sheet on the page. */
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
