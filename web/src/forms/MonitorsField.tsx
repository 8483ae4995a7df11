import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField, useFormContext } from "./form-context.ts";
import { MonitorChooser } from "./MonitorChooser.tsx";
import { useMonitorChoice } from "./use-monitor-choice.ts";

/** Monitors of all kinds, or of those that the schema says, by their uuids. */
export function MonitorsField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
  const field = useField(props);
  const { self } = useFormContext();
  const choose = (next: readonly string[]) => {
    field.changed();
    onChange(next);
  };
  const choice = useMonitorChoice(draft, choose, {
    others: self === undefined ? [] : [self],
    kinds: props.schema["x-kinds"],
  });
  return (
    <FieldFrame field={field} bare={bare}>
      <MonitorChooser
        control={field.control}
        label={field.label}
        isWrong={Boolean(field.errors)}
        choice={choice}
      />
    </FieldFrame>
  );
}
