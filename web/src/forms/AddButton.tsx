import type { ReactNode } from "react";

/** Adds a line or an item; small, because it is one of many things on the page. */
export function AddButton(props: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      data-add
      onClick={props.onClick}
      className="inline-flex h-8 w-fit items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-medium text-ink-muted transition-colors hover:bg-hover hover:text-ink [&>svg]:size-3.5"
    >
      {props.icon}
      {props.children}
    </button>
  );
}
