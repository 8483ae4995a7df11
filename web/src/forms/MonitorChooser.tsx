import { type ComponentProps, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SearchResult } from "../api/search.ts";
import { FieldNote } from "../components/Field.tsx";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import type { MonitorChoice } from "./use-monitor-choice.ts";
import { Chip, ChipBox } from "./WordsField.tsx";

interface MonitorChooserProps {
  /** What ties the box to its label and its errors. */
  control: ComponentProps<"input"> & { id: string };
  label: string;
  /** The box's hint where it has no label; default: that it searches. */
  placeholder?: string;
  isWrong: boolean;
  choice: MonitorChoice;
}

/** Monitors: what is typed is searched for, Enter chooses, Backspace in the empty box takes the last away. */
export function MonitorChooser({ control, label, placeholder, isWrong, choice }: MonitorChooserProps) {
  const { t } = useTranslation("forms");
  const box = useRef<HTMLInputElement>(null);
  const { active } = choice;
  const list = `${control.id}-list`;
  return (
    <>
      <ChipBox isWrong={isWrong}>
        {choice.chosen.map((uuid) => (
          <Chosen
            key={uuid}
            uuid={uuid}
            choice={choice}
            onRemove={() => {
              choice.remove(uuid);
              box.current?.focus();
            }}
          />
        ))}
        <input
          {...control}
          ref={box}
          type="text"
          role="combobox"
          aria-expanded={choice.isOpen}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active && `${list}-${active.uuid}`}
          value={choice.typed}
          placeholder={placeholder ?? t(choice.isOfAllKinds ? "monitors.search" : "monitors.searchChecked")}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onKeyDown={choice.onKeyDown}
          onClick={choice.open}
          onBlur={choice.close}
          onChange={({ target }) => choice.type(target.value)}
          className="min-w-48 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-faint"
        />
      </ChipBox>
      <MonitorOptions id={list} label={label} choice={choice} />
    </>
  );
}

function Chosen({ uuid, choice, onRemove }: { uuid: string; choice: MonitorChoice; onRemove: () => void }) {
  const { t } = useTranslation("forms");
  const one = choice.named.get(uuid);
  const name = one?.name ?? (choice.isKnown ? t("monitors.gone") : "…");
  return (
    <Chip
      label={name}
      lead={one && <StatusDot status={one.status as ShownStatus} plain className="mr-1.5" />}
      onRemove={onRemove}
    />
  );
}

/** The matches; below the box within the form, so that a phone's keyboard covers none of them. */
function MonitorOptions({ id, label, choice }: { id: string; label: string; choice: MonitorChoice }) {
  const { t } = useTranslation("forms");
  const { text, options, active, isUpToDate, isFailed } = choice;
  const isEmpty = options.length === 0;
  const said = () => {
    if (isFailed) return t("monitors.failed");
    return isUpToDate ? t("monitors.none", { text }) : t("monitors.searching");
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
        {text !== "" && isUpToDate && t("monitors.count", { count: options.length })}
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

interface MonitorsBoxProps {
  label: string;
  choice: MonitorChoice;
  errors: string[] | undefined;
}

/** The box that chooses monitors, below its label and with what is wrong in it. */
export function MonitorsBox({ label, choice, errors }: MonitorsBoxProps) {
  const id = useId();
  const described = errors && { "aria-invalid": true, "aria-describedby": `${id}-note` };
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {label}
      </label>
      <MonitorChooser
        control={{ id, ...described }}
        label={label}
        isWrong={errors !== undefined}
        choice={choice}
      />
      {errors && <FieldNote id={`${id}-note`} errors={errors} />}
    </div>
  );
}
