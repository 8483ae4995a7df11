import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldErrors } from "../api/client.ts";
import { bodyOf, changesOf, type Edited, type Typed, typedIn, unusualFields, withTyped } from "./body.ts";
import { type Draft, type Drafts, draftsOf, type Keeps, type Row } from "./drafts.ts";
import { placeErrors, shownPaths, withoutErrorsAt, withoutErrorsWhere } from "./place-errors.ts";
import { type Problem, problemsOf, type Rule, repeatedNames } from "./problems.ts";
import { type FieldSchema, isShown, kindOf } from "./schema.ts";

export interface FormSource extends Pick<Edited, "schema" | "alongside"> {
  /** What the API gave of it; {} for something new. */
  values: Readonly<Record<string, unknown>>;
  /** What is usual for this reader, beside what the schema says: nothing that a section opens for. */
  usual?: Readonly<Record<string, unknown>>;
  /** Whether a hidden value is stored that still applies to the form's present values. */
  keeps: (path: string, drafts: Drafts) => boolean;
  /** Whether a hidden value is stored that no longer applies: it has to be typed anew. */
  stale?: (path: string, drafts: Drafts) => boolean;
  /** Changes what follows from a change: `was` is how it was before. */
  adjustDrafts?: (drafts: Drafts, changed: string, was: Drafts) => Drafts;
  /** The edits of the forms that this one replaces. */
  typed?: Typed | undefined;
  /** Receives edits, for the form that replaces this one. */
  onTyped?: ((typed: (before: Typed) => Typed) => void) | undefined;
}

const noValues = {};
const nothingTyped: Typed = {};
const isEmptiness = (rule: Rule): boolean => rule === "required" || rule === "stale";

/** The state of a form: its drafts, its problems, and what it would send. */
export function useSchemaForm(source: FormSource) {
  const { schema, values, adjustDrafts, alongside, typed = nothingTyped, onTyped } = source;
  const { t } = useTranslation("forms");
  const [start] = useState(() => draftsOf(schema, values));
  const [fresh] = useState(() => draftsOf(schema, source.usual ?? noValues));
  const [begun] = useState(() => withTyped(schema, start, typed));
  const [drafts, setDrafts] = useState(begun);
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(
    () => onTyped?.((before) => typedIn(schema, { start, drafts }, before)),
    [schema, start, drafts, onTyped],
  );
  const keeps: Keeps = (path) => source.keeps(path, drafts);
  const stale: Keeps = (path) => source.stale?.(path, drafts) ?? false;
  const edited = { schema, start, drafts, keeps, alongside };

  const sentencesOf = (problems: readonly Problem[]): FieldErrors =>
    Object.fromEntries(problems.map(({ path, rule, limit }) => [path, [t(`problem.${rule}`, { limit })]]));
  const problems = (): Problem[] => [
    ...problemsOf(schema, bodyOf(edited)),
    ...repeatedNames(schema, drafts),
    ...staleFields(schema, drafts, stale),
  ];
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
    stale,
    isChanged: Object.keys(changesOf(edited)).length > 0,
    /** Fields that began otherwise than is usual. */
    unusual: unusualFields({ schema, start: begun, keeps }, fresh),
    body: () => bodyOf(edited),
    show,
    /** What the schema has against the form, as the API would say it; {} for nothing. */
    problems: (): FieldErrors => sentencesOf(problems()),
    change: (name: string, draft: Draft) => {
      const changedIn = (was: Drafts) => {
        const next = { ...was, [name]: draft };
        return adjustDrafts ? adjustDrafts(next, name, was) : next;
      };
      setDrafts(changedIn);
      const next = changedIn(drafts);
      const mayStayAgain = (path: string) => stale(path) && !source.stale?.(path, next);
      setErrors((was) => withoutErrorsWhere(was, mayStayAgain));
    },
    changed: (path: string) => setErrors((was) => withoutErrorsAt(was, path)),
    /** What is empty is not wrong yet: the reader may come back. */
    left: (path: string) => {
      const found = problems().filter((one) => one.path === path && !isEmptiness(one.rule));
      if (found.length > 0) setErrors((was) => ({ ...was, ...sentencesOf(found) }));
    },
  };
}

/** The fields and lines that are empty because what is stored for them no longer applies. */
function staleFields(schema: FieldSchema, drafts: Drafts, stale: Keeps): Problem[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const paths = emptyPaths(name, one, drafts);
    return paths.filter(stale).map((path): Problem => ({ path, rule: "stale", limit: 0 }));
  });
}

/** Of a record the lines whose value is not shown, of a group the texts that mean something now. */
function emptyPaths(name: string, schema: FieldSchema, drafts: Drafts): string[] {
  const draft = drafts[name];
  if (kindOf(schema) === "record") {
    const lines = (draft as readonly Row[]).filter(({ isStored, value }) => isStored && value === "");
    return lines.map((line) => `${name}.${line.name.trim()}`);
  }
  if (kindOf(schema) !== "group") return [];
  const inside = draft as Drafts;
  const shown = Object.entries(schema.properties ?? {}).filter(([, one]) => isShown(one, [inside, drafts]));
  return shown.filter(([field]) => inside[field] === "").map(([field]) => `${name}.${field}`);
}
