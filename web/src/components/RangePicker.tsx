interface RangePickerProps<T extends string> {
  label: string;
  options: readonly T[];
  value: T;
  /** The button's text, and its accessible name. */
  textOf: (option: T) => { short: string; long: string };
  onPick: (option: T) => void;
}

/** One of a few, side by side. The browser's own radio buttons: the arrow keys move the choice. */
export function RangePicker<T extends string>({
  label,
  options,
  value,
  textOf,
  onPick,
}: RangePickerProps<T>) {
  return (
    <fieldset className="flex rounded-md border border-line-strong bg-surface p-0.5 shadow-card">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => {
        const { short, long } = textOf(option);
        return (
          <label
            key={option}
            title={long}
            className="relative flex h-7 min-w-11 cursor-pointer items-center justify-center rounded-sm px-2 text-sm text-ink-muted transition-colors has-checked:bg-hover has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus hover:text-ink"
          >
            <input
              type="radio"
              name={label}
              aria-label={long}
              checked={option === value}
              onChange={() => onPick(option)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span aria-hidden>{short}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
