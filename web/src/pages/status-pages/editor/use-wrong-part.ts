import { useEffect, useRef } from "react";
import type { FieldErrors } from "../../../api/client.ts";
import type { PagePart } from "../search.ts";

/** What a part's boxes are called in refusals, by their first word. */
const fieldsOfPart = {
  contents: ["contents"],
  about: ["name", "slug", "description", "timeZone", "showAutomatic"],
  look: ["appearance"],
} as const satisfies Partial<Record<PagePart, readonly string[]>>;

/** The parts in which something is wrong, in their order. */
export const partsWith = (errors: FieldErrors): PagePart[] => {
  const wrong = new Set(Object.keys(errors).map((path) => path.split(".")[0]));
  return (["contents", "about", "look"] as const).filter((part) =>
    fieldsOfPart[part].some((name) => wrong.has(name)),
  );
};

interface Refusal {
  error: Error | null;
  /** What was wrong where it was refused. */
  errors: FieldErrors;
  part: PagePart;
  onPart: (part: PagePart) => void;
}

/**
 * Leads to what a refused save found wrong: to the first part that has something of it, unless the one that is open has, and
 * there to the first wrong box. Give the result to what is around the parts.
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
