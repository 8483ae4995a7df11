import type { Edge } from "./use-dragging.ts";

/** Where what is dragged would be dropped. */
export function DropLine({ edge }: { edge: Edge | null }) {
  if (edge === null) return null;
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-x-2 z-10 h-0.5 rounded-full bg-focus ${edge === "top" ? "-top-px" : "-bottom-px"}`}
    />
  );
}
