import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  value: string;
  /** Value and what people read. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** The browser's own list, which every phone and every screen reader knows, in the look of a text box. */
export function Select({ options, onChange, className = "", ...rest }: SelectProps) {
  return (
    <span className={`relative block w-full max-w-64 ${className}`}>
      <select
        {...rest}
        onChange={(event) => onChange(event.target.value)}
        className="control appearance-none truncate pr-9"
      >
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-faint"
      />
    </span>
  );
}
