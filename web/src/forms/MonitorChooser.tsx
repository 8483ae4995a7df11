import { type ComponentProps, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import { Chip, ChipBox } from "./ChipBox.tsx";
import { MonitorOptions } from "./MonitorOptions.tsx";
import type { MonitorChoice } from "./use-monitor-choice.ts";

interface MonitorChooserProps {
  /** What ties the box to its label and its errors. */
  control: ComponentProps<"input"> & { id: string };
  label: string;
  /** Where no label stands above the box; default: that one can search. */
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
