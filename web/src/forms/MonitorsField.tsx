import { X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField, useFormContext } from "./form-context.ts";
import { MonitorOptions } from "./MonitorOptions.tsx";
import { useMonitorChoice } from "./use-monitor-choice.ts";

/** Domains and services: what is typed is searched for, Enter chooses, Backspace in the empty box takes the last away. */
export function MonitorsField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const box = useRef<HTMLInputElement>(null);
  const { self } = useFormContext();
  const choose = (next: readonly string[]) => {
    field.changed();
    onChange(next);
    box.current?.focus();
  };
  const choice = useMonitorChoice(draft, choose, self);
  const { text, named, active } = choice;
  const list = `${field.id}-list`;
  return (
    <FieldFrame field={field} bare={bare}>
      <div
        className={`control flex h-auto min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus ${field.errors ? "border-down" : ""}`}
      >
        {draft.map((uuid) => {
          const one = named.get(uuid);
          const name = one?.name ?? (choice.isKnown ? t("monitors.gone") : "…");
          return (
            <span
              key={uuid}
              className="flex max-w-full items-center rounded-sm bg-hover pl-2 text-sm leading-6 text-ink"
            >
              {one && <StatusDot status={one.status as ShownStatus} plain className="mr-1.5" />}
              <span className="truncate">{name}</span>
              <button
                type="button"
                aria-label={t("remove", { label: name })}
                onClick={() => choice.remove(uuid)}
                className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:text-ink"
              >
                <X aria-hidden className="size-3" />
              </button>
            </span>
          );
        })}
        <input
          {...field.control}
          ref={box}
          type="text"
          role="combobox"
          aria-expanded={text !== ""}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active && `${list}-${active.uuid}`}
          value={choice.typed}
          placeholder={t("monitors.search")}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onKeyDown={choice.onKeyDown}
          onChange={({ target }) => choice.type(target.value)}
          className="min-w-48 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-faint"
        />
      </div>
      <MonitorOptions id={list} label={field.label} choice={choice} />
    </FieldFrame>
  );
}
