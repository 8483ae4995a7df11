import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";

/** A sentence inside a form or page that must not be overlooked. Errors are read out at once. */
export function Notice({ tone, children }: { tone: "error" | "info"; children: ReactNode }) {
  const error = tone === "error";
  const Icon = error ? CircleAlert : Info;
  return (
    <div
      role={error ? "alert" : "status"}
      className={`arriving flex gap-2.5 rounded-md px-3 py-2.5 text-sm ${error ? "bg-down-soft text-down-ink" : "bg-hover text-ink-muted"}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>{children}</div>
    </div>
  );
}
