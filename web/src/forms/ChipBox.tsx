import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Chips in a row, and after them (the last child) the box in which the next one is typed. */
export function ChipBox({ isWrong, children }: { isWrong: boolean; children: ReactNode }) {
  return (
    <div
      className={`control flex h-auto min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus ${isWrong ? "border-down" : ""}`}
    >
      {children}
    </div>
  );
}

/** One of them, which can be taken away. */
export function Chip({ label, lead, onRemove }: { label: string; lead?: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation("forms");
  return (
    <span className="flex max-w-full items-center rounded-sm bg-hover pl-2 text-sm leading-6 text-ink">
      {lead}
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={t("remove", { label })}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:text-ink"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}
