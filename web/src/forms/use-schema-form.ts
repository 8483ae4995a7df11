import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldErrors } from "../api/client.ts";
import { bodyOf, changesOf, type Edited, unusualFields } from "./body.ts";
import { type Draft, type Drafts, draftsOf, type Keeps } from "./drafts.ts";
import { placeErrors, shownPaths, withoutErrorsAt } from "./place-errors.ts";
import { type Problem, problemsOf, repeatedNames } from "./problems.ts";

export interface FormSource extends Pick<Edited, "schema" | "alongside"> {
  /** What the API gave of it; {} for something new. */
  values: Readonly<Record<string, unknown>>;
  /** Whether a value is stored that is not shown, as things stand in the form. */
  keeps: (path: string, drafts: Drafts) => boolean;
  /** Settles what follows from a change: `start` is how the form began. */
  settle?: (drafts: Drafts, changed: string, start: Drafts) => Drafts;
}

const nothingTyped: Drafts = {};

/** The state of a form: what stands in it, what is wrong with it, and what it would send. */
export function useSchemaForm({ schema, values, keeps: keepsNow, settle, alongside }: FormSource) {
  const { t } = useTranslation("forms");
  const [start] = useState(() => draftsOf(schema, values));
  const [fresh] = useState(() => draftsOf(schema, nothingTyped));
  const [drafts, setDrafts] = useState(start);
  const [errors, setErrors] = useState<FieldErrors>({});
  const keeps: Keeps = (path) => keepsNow(path, drafts);
  const edited = { schema, start, drafts, keeps, alongside };

  const sentencesOf = (problems: readonly Problem[]): FieldErrors =>
    Object.fromEntries(problems.map(({ path, rule, limit }) => [path, [t(`problem.${rule}`, { limit })]]));
  const problems = (): Problem[] => [...problemsOf(schema, bodyOf(edited)), ...repeatedNames(schema, drafts)];
  /** Shows errors at their fields; returns the sentences about what the form does not show. */
  const show = (found: FieldErrors): string[] => {
    const { placed, elsewhere } = placeErrors(found, shownPaths(schema, drafts));
    setErrors(placed);
    return elsewhere;
  };
  return {
    drafts,
    errors,
    keeps,
    isChanged: Object.keys(changesOf(edited)).length > 0,
    /** Fields that began otherwise than is usual. */
    unusual: unusualFields({ schema, start, keeps }, fresh),
    body: () => bodyOf(edited),
    show,
    /** What the schema has against the form, as the API would say it; {} for nothing. */
    problems: (): FieldErrors => sentencesOf(problems()),
    change: (name: string, draft: Draft) =>
      setDrafts((was) => {
        const next = { ...was, [name]: draft };
        return settle ? settle(next, name, start) : next;
      }),
    changed: (path: string) => setErrors((was) => withoutErrorsAt(was, path)),
    /** What is empty is not wrong yet: the reader may come back. */
    left: (path: string) => {
      const found = problems().filter((one) => one.path === path && one.rule !== "required");
      if (found.length > 0) setErrors((was) => ({ ...was, ...sentencesOf(found) }));
    },
  };
}
