import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type MaintenanceWindow, useSaveWindow } from "../api/maintenance.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Section } from "../components/Card.tsx";
import { Field, TextArea } from "../components/Field.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";
import { MonitorsBox } from "../forms/MonitorChooser.tsx";
import { Tick } from "../forms/Tick.tsx";
import { useMonitorChoice } from "../forms/use-monitor-choice.ts";
import { ScheduleFields } from "./ScheduleFields.tsx";
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
      <FailureCallout of={failure} />
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

interface ScopeFieldsProps extends WindowFieldsProps {
  /** The number of a monitor that was chosen. */
  onChosen: (uuid: string, id: number) => void;
}

/** What a window is for: everything, or some monitors and whatever has one of some tags. */
function ScopeFields(props: ScopeFieldsProps) {
  const { t } = useTranslation("maintenance");
  const { draft, errors, onChange } = props;
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-medium">{t("form.scope")}</legend>
      <Tick
        type="radio"
        name={name}
        checked={!draft.everything}
        onChange={() => onChange({ everything: false })}
      >
        {t("form.some")}
      </Tick>
      {!draft.everything && (
        <div className="grid gap-4 pl-6.5">
          <WindowMonitors {...props} />
          <Field
            label={t("form.tags")}
            hint={t("form.tagsHint")}
            optional
            autoCapitalize="none"
            autoComplete="off"
            value={draft.tags}
            errors={errors.tags}
            onChange={({ target }) => onChange({ tags: target.value })}
          />
        </div>
      )}
      <Tick
        type="radio"
        name={name}
        checked={draft.everything}
        onChange={() => onChange({ everything: true })}
      >
        {t("form.everything")}
      </Tick>
    </fieldset>
  );
}

function WindowMonitors({ draft, errors, onChange, onChosen }: ScopeFieldsProps) {
  const { t } = useTranslation("maintenance");
  const choice = useMonitorChoice(draft.monitors, (monitors) => onChange({ monitors }));
  useEffect(() => {
    for (const [uuid, one] of choice.named) onChosen(uuid, one.id);
  });
  return <MonitorsBox label={t("form.monitors")} choice={choice} errors={errors.monitorIds} />;
}
