import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type MaintenanceWindow, useSaveWindow } from "../api/maintenance.ts";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Field } from "../components/Field.tsx";
import { Section } from "../components/Section.tsx";
import { TextArea } from "../components/TextArea.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";
import { ScheduleFields } from "./ScheduleFields.tsx";
import { ScopeFields } from "./ScopeFields.tsx";
import {
  bodyOf,
  changesOf,
  isSameSchedule,
  type WindowDraft,
  type WindowFieldsProps,
} from "./window-draft.ts";

interface WindowFormProps {
  /** Null: it is new. */
  window: MaintenanceWindow | null;
  start: WindowDraft;
  onDone: (saved: MaintenanceWindow) => void;
}

const fieldNames = [
  ...["title", "description", "startsAt", "duration", "timeZone", "recurrence", "until"],
  ...["everything", "tags", "monitorIds"],
];

/** What is worked on, and when. */
export function WindowForm({ window, start, onDone }: WindowFormProps) {
  const { t } = useTranslation("maintenance");
  const [first] = useState(start);
  const [draft, setDraft] = useState(first);
  const [ids] = useState(() => new Map(window?.monitors.map(({ uuid, id }) => [uuid, id])));
  const saved = useRef(false);
  const save = useSaveWindow(window?.id ?? null);
  const [isIncomplete, setIncomplete] = useState(false);
  const { form, fields, failure } = useFormErrors(save.error, fieldNames);
  const change = (more: Partial<WindowDraft>) => {
    setIncomplete(false);
    setDraft({ ...draft, ...more });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const idOf = (uuid: string) => ids.get(uuid);
    const body = bodyOf(draft, idOf);
    if (!body) return setIncomplete(true);
    save.mutate(window ? changesOf(body, bodyOf(first, idOf)) : body, {
      onSuccess: (done) => {
        saved.current = true;
        onDone(done);
      },
    });
  };
  const errors = isIncomplete ? { ...fields, startsAt: [t("form.incomplete")] } : fields;
  const isAsPlanned = window !== null && isSameSchedule(draft, first);
  const props: WindowFieldsProps = { draft, errors, onChange: change };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid max-w-3xl gap-4">
      <FailureNotice of={failure} />
      <Section title={t("form.what")}>
        <div className="grid gap-5 px-4 pb-4">
          <Field
            label={t("form.title")}
            optional
            maxLength={255}
            autoComplete="off"
            placeholder={t("untitled")}
            value={draft.title}
            errors={errors.title}
            onChange={({ target }) => change({ title: target.value })}
          />
          <TextArea
            label={t("form.description")}
            hint={t("form.descriptionHint")}
            rows={2}
            maxLength={10_000}
            value={draft.description}
            errors={errors.description}
            onChange={({ target }) => change({ description: target.value })}
          />
          <ScopeFields {...props} onChosen={(uuid, id) => ids.set(uuid, id)} />
        </div>
      </Section>
      <Section title={t("form.when")}>
        <ScheduleFields {...props} planned={isAsPlanned ? window.occurrences : null} />
      </Section>
      <div className="flex justify-end">
        <Button type="submit" busy={save.isPending}>
          {t(window ? "form.save" : "form.submit")}
        </Button>
      </div>
      <LeaveGuard changed={draft !== first} saved={saved} />
    </form>
  );
}
