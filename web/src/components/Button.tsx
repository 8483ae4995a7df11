import { createLink } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";

type Variant = "primary" | "quiet" | "danger";

const looks: Record<Variant, string> = {
  primary: "bg-action text-on-action hover:bg-action-hover shadow-card",
  quiet: "border border-line-strong bg-surface text-ink hover:bg-hover shadow-card",
  danger: "bg-danger text-on-danger hover:bg-danger-hover shadow-card",
};

/** While `busy` it keeps its width and its focus, shows a turning mark, and does nothing when pressed. */
export function Button({
  variant = "primary",
  busy = false,
  className = "",
  children,
  onClick,
  ...rest
}: ComponentProps<"button"> & { variant?: Variant; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`relative inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md px-3.5 font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${looks[variant]} ${className}`}
    >
      <span className={`inline-flex items-center gap-2 ${busy ? "opacity-0" : ""}`}>{children}</span>
      {busy && <LoaderCircle aria-hidden className="absolute size-4 animate-spin" />}
    </button>
  );
}

/** A square button that shows only a picture; `label` is its name for everyone else. */
export function IconButton({
  label,
  className = "",
  children,
  ...rest
}: ComponentProps<"button"> & { label: string; [data: `data-${string}`]: unknown }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink ${className}`}
    >
      {children}
    </button>
  );
}

/** A link to a page of the app in the look of a quiet button. */
export const ButtonLink = createLink(function QuietLink({ className = "", ...rest }: ComponentProps<"a">) {
  return (
    // What it says comes with its children.
    // oxlint-disable-next-line jsx-a11y/anchor-has-content
    <a
      {...rest}
      className={`inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-3.5 font-medium whitespace-nowrap text-ink shadow-card transition-colors hover:bg-hover ${className}`}
    />
  );
});
