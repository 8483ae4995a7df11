import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SearchResult } from "../api/search.ts";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import type { MonitorChoice } from "./use-monitor-choice.ts";

/** What fits what was typed; it stands in the form, below the box, so that a phone's keyboard covers none of it. */
export function MonitorOptions({ id, label, choice }: { id: string; label: string; choice: MonitorChoice }) {
  const { t } = useTranslation("forms");
  const { text, options, active, isSettled, isFailed } = choice;
  const isEmpty = options.length === 0;
  const said = () => {
    if (isFailed) return t("monitors.failed");
    return isSettled ? t("monitors.none", { text }) : t("monitors.searching");
  };
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className={`max-h-72 overflow-y-auto overscroll-contain rounded-md border border-line p-1 ${isEmpty ? "hidden" : ""}`}
      >
        {options.map((option, at) => (
          <MonitorOption
            key={option.uuid}
            id={`${id}-${option.uuid}`}
            option={option}
            isActive={option === active}
            onPoint={() => choice.point(at)}
            onChoose={() => choice.choose(option)}
          />
        ))}
      </div>
      {text !== "" && isEmpty && <p className="text-sm text-ink-muted wrap-anywhere">{said()}</p>}
      <p role="status" className="sr-only">
        {text !== "" && isSettled && t("monitors.count", { count: options.length })}
      </p>
    </>
  );
}

interface OptionProps {
  id: string;
  option: SearchResult;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function MonitorOption({ id, option, isActive, onPoint, onChoose }: OptionProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const { name, address, status } = option;
  return (
    <button
      ref={row}
      id={id}
      type="button"
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerMove={onPoint}
      // The box keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={`flex min-h-9 w-full items-center gap-2 rounded-sm px-2 text-left text-sm ${isActive ? "bg-hover" : ""}`}
    >
      <StatusDot status={status as ShownStatus} plain />
      <span className="min-w-0 shrink truncate">{name}</span>
      {address !== name && <span className="min-w-0 shrink-[2] truncate text-ink-faint">{address}</span>}
    </button>
  );
}
