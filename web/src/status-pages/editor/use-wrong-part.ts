import { useEffect, useRef } from "react";
import { ofEach } from "../../../../server/src/status-pages/plain-settings.ts";
import type { FieldErrors } from "../../api/client.ts";
import { type PagePart, pageParts } from "../search.ts";
import { type DraftField, draftSwitches } from "./page-draft.ts";

/** Where each is set. Refusals name their boxes by these words first. */
const partOf: Record<DraftField, PagePart> = {
  contents: "contents",
  ...{ name: "about", slug: "about", description: "about", timeZone: "about" },
  ...ofEach(draftSwitches, () => "about"),
  appearance: "look",
};

/** The parts in which something is wrong, in their order. */
export const partsWith = (errors: FieldErrors): PagePart[] => {
  const wrong = new Set(Object.keys(errors).map((path) => path.split(".")[0]));
  const parts = new Set(Object.entries(partOf).flatMap(([name, part]) => (wrong.has(name) ? [part] : [])));
  return pageParts.filter((part) => parts.has(part));
};

interface Refusal {
  error: Error | null;
  /** What was wrong where it was refused. */
  errors: FieldErrors;
  part: PagePart;
  onPart: (part: PagePart) => void;
}

/**
 * The first part with an error, unless the open one has some, and there the first wrong box. Give the result
 * to what is around the parts.
 */
export function useWrongPart({ error, errors, part, onPart }: Refusal) {
  const parts = useRef<HTMLDivElement>(null);
  const shown = useRef<Error | null>(null);
  useEffect(() => {
    const wrong = error && error !== shown.current ? partsWith(errors) : [];
    const [first] = wrong;
    if (first === undefined) return;
    if (!wrong.includes(part)) {
      onPart(first);
      return;
    }
    shown.current = error;
    parts.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus();
  }, [error, errors, part, onPart]);
  return parts;
}
