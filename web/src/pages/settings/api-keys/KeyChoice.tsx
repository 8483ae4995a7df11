import { useId } from "react";
import { FieldNote } from "../../../components/Field.tsx";
import { Select } from "../../../forms/Select.tsx";

interface KeyChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  errors: string[] | undefined;
  onChange: (value: string) => void;
}

/** One of a few things that a new key can be. */
export function KeyChoice({ label, value, options, errors, onChange }: KeyChoiceProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        aria-invalid={errors ? true : undefined}
        aria-describedby={errors && `${id}-note`}
        options={options}
        onChange={onChange}
      />
      {errors && <FieldNote id={`${id}-note`} errors={errors} />}
    </div>
  );
}
