import { ChevronRight, CircleAlert } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { changeComponent } from "./arrange.ts";
import { ComponentFields } from "./ComponentFields.tsx";
import { ComponentMenu } from "./ComponentMenu.tsx";
import { DropLine } from "./DropLine.tsx";
import { MoveHandle } from "./MoveHandle.tsx";
import type { DraftComponent, ListKey } from "./page-draft.ts";
import { type Arranging, nameOf } from "./use-arranging.ts";
import { useDraggable, useDropPlace } from "./use-dragging.ts";

interface ComponentRowProps {
  component: DraftComponent;
  list: ListKey;
  at: number;
  arranging: Arranging;
}

/** One component: what moves it, what visitors read, and on demand how it is shown. */
export function ComponentRow({ component, list, at, arranging }: ComponentRowProps) {
  const { t } = useTranslation("status-pages/editor");
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { key, monitorName } = component;
  const problems = arranging.problems.get(key);
  const [isOpen, setOpen] = useState(false);
  const isDragged = useDraggable(row, handle, { of: "component", key });
  const edge = useDropPlace(row, {
    of: "component",
    halves: true,
    onDrop: (moved, half) => arranging.moveTo(moved, { list, at: half === "bottom" ? at + 1 : at }),
  });
  const name = nameOf(component);
  const shown = [
    component.showsUptime && t("figure.uptime"),
    component.showsDays && t("figure.days"),
    component.showsResponseTimes && t("figure.responseTimes"),
  ].filter((one) => one !== false);
  return (
    <li
      ref={row}
      data-component={key}
      className={`relative border-t border-line first:border-t-0 ${isDragged ? "opacity-40" : ""}`}
    >
      <DropLine edge={edge} />
      <div className="flex items-center gap-1 py-1.5 pr-2 pl-1.5">
        <MoveHandle ref={handle} of={key} name={name} hint={arranging.hint} onMove={arranging.stepBy} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          data-wrong={problems ? "" : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-sm py-1 pr-1 text-left"
        >
          <span className="min-w-0 flex-1">
            <span className={`block truncate font-medium ${problems ? "text-down-ink" : ""}`}>{name}</span>
            <span className="block truncate text-xs text-ink-faint">
              {monitorName !== null && monitorName !== name ? `${monitorName} · ` : ""}
              {shown.length > 0 ? shown.join(", ") : t("figure.none")}
            </span>
          </span>
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform duration-150 ${isOpen ? "rotate-90" : ""}`}
          />
        </button>
        <ComponentMenu component={component} list={list} arranging={arranging} />
      </div>
      {problems && (
        <p role="alert" className="flex gap-1.5 px-4 pb-2.5 text-sm text-down-ink">
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {problems.join(" ")}
        </p>
      )}
      <div id={id} hidden={!isOpen} className="px-4 pt-1 pb-4 sm:pl-11">
        {isOpen && (
          <ComponentFields
            component={component}
            onChange={(change) => arranging.edit((draft) => changeComponent(draft, key, change))}
          />
        )}
      </div>
    </li>
  );
}
