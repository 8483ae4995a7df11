import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../components/Field.tsx";
import { MonitorsBox } from "../forms/MonitorsBox.tsx";
import { Tick } from "../forms/Tick.tsx";
import { useMonitorChoice } from "../forms/use-monitor-choice.ts";
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
