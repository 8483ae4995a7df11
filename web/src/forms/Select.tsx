import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

type Options = readonly (readonly [string, string])[];

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  value: string;
  /** Value and what people read. */
  options: Options;
  /** Others, under what people read above them. */
  groups?: readonly { label: string; options: Options }[];
  /** As wide as there is room, as a text box is. */
  isWide?: boolean | undefined;
  onChange: (value: string) => void;
}

/** The browser's own list, which every phone and every screen reader knows, in the look of a text box. */
export function Select({ options, groups = [], isWide, onChange, className = "", ...rest }: SelectProps) {
  return (
    <span className={`relative block w-full ${isWide ? "" : "max-w-64"} ${className}`}>
      <select
        {...rest}
        onChange={(event) => onChange(event.target.value)}
        className="control appearance-none truncate pr-9"
      >
        <Choices of={options} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <Choices of={group.options} />
          </optgroup>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-faint"
      />
    </span>
  );
}

const Choices = ({ of }: { of: Options }) =>
  of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
