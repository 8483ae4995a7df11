import { useId } from "react";
import { FieldNote } from "../components/Field.tsx";
import { Select } from "./Select.tsx";

interface LabelledSelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  name?: string;
  errors?: string[] | undefined;
  /** As wide as there is room. */
  isWide?: boolean | undefined;
  onChange: (value: string) => void;
}

/** A choice of a few under its label, with its errors. */
export function LabelledSelect({
  label,
  name,
  value,
  options,
  errors,
  isWide,
  onChange,
}: LabelledSelectProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Select
        id={id}
        name={name}
        value={value}
        aria-invalid={errors ? true : undefined}
        aria-describedby={errors && `${id}-note`}
        options={options}
        isWide={isWide}
        onChange={onChange}
      />
      {errors && <FieldNote id={`${id}-note`} errors={errors} />}
    </div>
  );
}
