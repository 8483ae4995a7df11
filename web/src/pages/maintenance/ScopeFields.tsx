import { X } from "lucide-react";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { Field, FieldNote } from "../../components/Field.tsx";
import { MonitorOptions } from "../../forms/MonitorOptions.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { useMonitorChoice } from "../../forms/use-monitor-choice.ts";
import type { WindowFieldsProps } from "./window-draft.ts";

interface ScopeFieldsProps extends WindowFieldsProps {
  /** The number of a monitor that was chosen. */
  onChosen: (uuid: string, id: number) => void;
}

/** What a window is for: everything, or some monitors and whatever has one of some tags. */
export function ScopeFields(props: ScopeFieldsProps) {
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
          <MonitorsBox {...props} />
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

function MonitorsBox({ draft, errors, onChange, onChosen }: ScopeFieldsProps) {
  const { t } = useTranslation(["maintenance", "forms"]);
  const id = useId();
  const choice = useMonitorChoice(draft.monitors, (monitors) => onChange({ monitors }));
  const { text, named, active } = choice;
  useEffect(() => {
    for (const [uuid, one] of named) onChosen(uuid, one.id);
  });
  const wrong = errors.monitorIds;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {t("form.monitors")}
      </label>
      {draft.monitors.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {draft.monitors.map((uuid) => {
            const name = named.get(uuid)?.name ?? "…";
            return (
              <li
                key={uuid}
                className="flex max-w-full items-center rounded-sm bg-hover pl-2 text-sm leading-6"
              >
                <span className="truncate">{name}</span>
                <button
                  type="button"
                  aria-label={t("forms:remove", { label: name })}
                  onClick={() => choice.remove(uuid)}
                  className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:text-ink"
                >
                  <X aria-hidden className="size-3" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={text !== ""}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-list-${active.uuid}`}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong && `${id}-note`}
        value={choice.typed}
        placeholder={t("forms:monitors.search")}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onKeyDown={choice.onKeyDown}
        onChange={({ target }) => choice.type(target.value)}
        className="control"
      />
      <MonitorOptions id={`${id}-list`} label={t("form.monitors")} choice={choice} />
      {wrong && <FieldNote id={`${id}-note`} errors={wrong} />}
    </div>
  );
}
