import { ChevronRight } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type FieldErrors } from "../api/client.ts";
import { Button } from "../components/Button.tsx";
import { type Failure, FailureCallout, failureOf } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import type { Drafts } from "./drafts.ts";
import type english from "./en.json";
import { type FieldProps, type FormContext, FormContextProvider } from "./form-context.ts";
import { LeaveGuard } from "./LeaveGuard.tsx";
import { SchemaField } from "./SchemaField.tsx";
import { type FieldSchema, isShown } from "./schema.ts";
import { holdsErrors, type Section, sectionsOf, shownIn } from "./sections.ts";
import { type FormSource, useSchemaForm } from "./use-schema-form.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    forms: typeof english;
  }
}

interface SchemaFormProps<Saved> extends FormSource, Pick<FormContext, "text"> {
  /** The first one is always open and has no heading. */
  layout: readonly Section[];
  /** What depends on other fields: a sentence after a field's help or on its own line, and the placeholder of its box. */
  remarks: (drafts: Drafts) => Pick<FormContext, "notes" | "warnings" | "placeholders" | "presets" | "self">;
  /** What helps to fill it in, under the first section. */
  assist?: ((form: FormAssist) => ReactNode) | undefined;
  /** The reader begins at its first control. */
  focusFirst?: boolean;
  submitLabel: string;
  cancel: ReactNode;
  /** Sends what was changed; not called when there is nothing to send. Throws ApiError. */
  onSubmit: (body: Record<string, unknown>) => Promise<Saved>;
  /** Lets the reader go; null when there was nothing to save. */
  onDone: (saved: Saved | null) => void;
}

export interface FormAssist {
  drafts: Drafts;
  body: () => Record<string, unknown>;
  change: (name: string, draft: string) => void;
  /** What the schema has against it; {} for nothing. */
  problems: () => FieldErrors;
  /** Shows at their fields what is wrong. */
  mark: (errors: FieldErrors) => void;
}

/**
 * Fields, limits, choices and defaults come from the schema; a field that `layout` does not name gets a
 * section of its own. Errors of the API appear at their fields; nothing typed is lost.
 */
export function SchemaForm<Saved>(props: SchemaFormProps<Saved>) {
  const { schema, layout, text, remarks } = props;
  const state = useSchemaForm(props);
  const sections = useMemo(() => sectionsOf(schema, layout), [schema, layout]);
  const open = useOpenSections(sections, state.unusual);
  const { form, saved, failure, busy, mark, submit } = useSubmission(props, state, open.openWith);
  const { focusFirst = false } = props;
  useEffect(() => {
    if (focusFirst) form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [focusFirst, form]);
  const context: FormContext = {
    text,
    keeps: state.keeps,
    stale: state.stale,
    changed: state.changed,
    left: state.left,
    ...remarks(state.drafts),
    errorsAt: (path) => state.errors[path],
    render: (field: FieldProps) => <SchemaField {...field} />,
  };
  const [first, ...others] = sections.map((section) => {
    const fields = <SectionFields section={section} schema={schema} state={state} />;
    return { section, fields };
  });
  return (
    <FormContextProvider value={context}>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <Card>
          <div className="grid gap-5 p-4 sm:p-5">
            {first?.fields}
            {props.assist?.({ ...state, mark })}
          </div>
        </Card>
        <Card className="mt-4 overflow-hidden">
          {others.map(({ section, fields }) => (
            <FormSection
              key={section.id}
              title={text(`section.${section.id}.title`) ?? section.id}
              text={text(`section.${section.id}.text`)}
              open={open.isOpen(section)}
              wrong={holdsErrors(section, state.errors)}
              onToggle={() => open.toggle(section)}
            >
              {fields}
            </FormSection>
          ))}
        </Card>
        <div
          data-bar
          className="sticky bottom-(--bottom-bar) z-10 -mx-4 mt-4 grid gap-3 border-t border-line bg-page px-4 py-3 sm:mx-0 sm:px-0"
        >
          <FailureCallout of={failure} />
          <div className="flex justify-end gap-2">
            {props.cancel}
            <Button type="submit" busy={busy}>
              {props.submitLabel}
            </Button>
          </div>
        </div>
      </form>
      <LeaveGuard changed={state.isChanged} saved={saved} />
    </FormContextProvider>
  );
}

type FormState = ReturnType<typeof useSchemaForm>;

function SectionFields(props: { section: Section; schema: FieldSchema; state: FormState }) {
  const { section, schema, state } = props;
  const shown = shownIn(section, schema);
  return shown.map(([name, one]) => {
    const draft = state.drafts[name];
    if (draft === undefined || !isShown(one, [state.drafts])) return null;
    return (
      <SchemaField
        key={name}
        schema={one}
        path={name}
        textKey={name}
        draft={draft}
        scopes={[state.drafts]}
        bare={shown.length === 1}
        onChange={(next) => state.change(name, next)}
      />
    );
  });
}

/** Where the reader goes on: the first control that is wrong, or the first one of what is wrong as a whole. */
const wrongControl = '[aria-invalid="true"], [data-wrong] :is(input, select, textarea, [data-add])';

function useSubmission<Saved>(
  { onSubmit, onDone }: SchemaFormProps<Saved>,
  state: FormState,
  openWith: (errors: FieldErrors) => void,
) {
  const { t } = useTranslation("forms");
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    const control = refusals > 0 ? form.current?.querySelector<HTMLElement>(wrongControl) : null;
    control?.focus({ preventScroll: true });
    control?.scrollIntoView({ block: "center" });
  }, [refusals]);

  /** The sentence about what the form does not show; "" for none. */
  const point = (errors: FieldErrors): string => {
    const elsewhere = state.show(errors);
    openWith(errors);
    setRefusals((times) => times + 1);
    return elsewhere.join(" ");
  };
  const refuse = (errors: FieldErrors, otherwise: Failure | null) => {
    const message = point(errors);
    const count = Object.keys(errors).length;
    setFailure(count > 0 ? { message: message || t("refused", { count }), requestId: null } : otherwise);
  };
  /** Nothing was to be saved: the fields say enough. */
  const mark = (errors: FieldErrors) => {
    const message = point(errors);
    setFailure(message ? { message, requestId: null } : null);
  };
  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const body = state.body();
      const answer = Object.keys(body).length > 0 ? await onSubmit(body) : null;
      saved.current = true;
      onDone(answer);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refuse(error instanceof ApiError ? error.fields : {}, failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const problems = state.problems();
    if (Object.keys(problems).length > 0) refuse(problems, null);
    else await send();
  };
  return { form, saved, failure, busy, mark, submit };
}

/** At first those with an unusual setting, then those that the reader opens or an error is in. */
function useOpenSections(sections: readonly Section[], unusual: readonly string[]) {
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

interface FormSectionProps {
  title: string;
  /** What is in it, for those who have not opened it. */
  text: string | undefined;
  open: boolean;
  wrong: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** Fields under a heading that opens and closes. Closed, they keep what was typed. */
function FormSection({ title, text, open, wrong, onToggle, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className="border-t border-line first:border-t-0">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className="flex min-h-12 w-full items-center gap-2.5 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
          />
          <span className={`shrink-0 font-medium ${wrong ? "text-down-ink" : ""}`}>{title}</span>
          {!open && <span className="truncate text-sm text-ink-faint max-sm:hidden">{text}</span>}
        </button>
      </h2>
      <div id={id} hidden={!open} className="px-4 pt-1.5 pb-6 sm:pr-5 sm:pl-11.5">
        <div className="grid gap-5">{children}</div>
      </div>
    </section>
  );
}
