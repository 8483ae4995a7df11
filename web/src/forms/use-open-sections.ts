import { useState } from "react";
import type { FieldErrors } from "../api/client.ts";
import { holdsErrors, type Section } from "./sections.ts";

/**
 * Which sections are open: at first those with a setting that is not as usual, then those that the reader
 * opens or an error is in.
 */
export function useOpenSections(sections: readonly Section[], unusual: readonly string[]) {
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({});
  const isOpen = ({ id, fields }: Section) => turned[id] ?? fields.some((name) => unusual.includes(name));
  return {
    isOpen,
    toggle: (section: Section) => setTurned((was) => ({ ...was, [section.id]: !isOpen(section) })),
    openWith: (errors: FieldErrors) => {
      const wrong = sections.filter((section) => holdsErrors(section, errors));
      setTurned((was) => ({ ...was, ...Object.fromEntries(wrong.map(({ id }) => [id, true])) }));
    },
  };
}
