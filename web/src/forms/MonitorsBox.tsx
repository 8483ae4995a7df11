import { useId } from "react";
import { FieldNote } from "../components/Field.tsx";
import { MonitorChooser } from "./MonitorChooser.tsx";
import type { MonitorChoice } from "./use-monitor-choice.ts";

interface MonitorsBoxProps {
  label: string;
  choice: MonitorChoice;
  errors: string[] | undefined;
}

/** The box that chooses monitors, below its label and with what is wrong in it. */
export function MonitorsBox({ label, choice, errors }: MonitorsBoxProps) {
  const id = useId();
  const described = errors && { "aria-invalid": true, "aria-describedby": `${id}-note` };
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {label}
      </label>
      <MonitorChooser
        control={{ id, ...described }}
        label={label}
        isWrong={errors !== undefined}
        choice={choice}
      />
      {errors && <FieldNote id={`${id}-note`} errors={errors} />}
    </div>
  );
}
