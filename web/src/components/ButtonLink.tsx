import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

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
