import { Check, Minus } from "lucide-react";
import type { KeyboardEvent } from "react";

interface CheckboxProps {
  label: string;
  checked: boolean;
  /** Some of what it stands for is chosen. */
  mixed?: boolean;
  /** `stretch`: with the Shift key, so everything since the last one is meant. */
  onChange: (on: boolean, stretch: boolean) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  className?: string;
}

/** A box to tick without words beside it; `label` is its name. The area to hit is larger than the box. */
export function Checkbox(props: CheckboxProps) {
  const { label, checked, mixed = false, onChange, onKeyDown, className = "" } = props;
  const Icon = mixed ? Minus : Check;
  return (
    <span
      className={`grid size-4 shrink-0 rounded-sm text-on-action before:absolute before:-inset-2 [&>*]:col-start-1 [&>*]:row-start-1 ${className}`}
    >
      <input
        ref={(input) => {
          // HTML has no attribute for it.
          if (input) input.indeterminate = mixed;
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={() => {}}
        onKeyDown={onKeyDown}
        onClick={(event) => onChange(!checked, event.shiftKey)}
        className="peer relative z-1 size-4 cursor-pointer appearance-none rounded-xs border border-control bg-surface transition-colors after:absolute after:-inset-2.5 checked:border-action checked:bg-action hover:border-ink-faint indeterminate:border-action indeterminate:bg-action"
      />
      {(checked || mixed) && (
        <Icon aria-hidden strokeWidth={3} className="pointer-events-none z-2 size-3 place-self-center" />
      )}
    </span>
  );
}
