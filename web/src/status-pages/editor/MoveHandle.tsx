import { GripVertical } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";
import { useTranslation } from "react-i18next";

interface MoveHandleProps {
  ref: Ref<HTMLButtonElement>;
  /** The key of what it moves. */
  of: string;
  name: string;
  /** The id of the sentence that says which keys it knows. */
  hint: string;
  onMove: (key: string, by: 1 | -1) => void;
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** What something is dragged by; with the arrow keys it moves by one place. */
export function MoveHandle({ ref, of: key, name, hint, onMove }: MoveHandleProps) {
  const { t } = useTranslation("status-pages/editor");
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onMove(key, by);
  };
  const label = t("move", { name });
  return (
    <button
      ref={ref}
      type="button"
      data-handle={key}
      aria-label={label}
      aria-describedby={hint}
      title={label}
      onKeyDown={onKeyDown}
      className="grid h-9 w-7 shrink-0 cursor-grab touch-manipulation place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink active:cursor-grabbing"
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  );
}
