import { useRouter } from "@tanstack/react-router";
import { Ellipsis, Pause, Play, Trash2 } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Checkbox } from "../../../components/Checkbox.tsx";
import { Menu, MenuItem } from "../../../components/Menu.tsx";
import { type ShownStatus, StatusDot } from "../../../components/StatusDot.tsx";
import { formatResponseTime } from "../../../format.ts";
import type { ListOfKind } from "../../../kinds/descriptor.ts";
import { pageOf } from "../../../kinds/kinds.ts";
import { useKind } from "../../../kinds/use-kind.ts";
import { shownResponseTime, shownStatus } from "../monitor-view.ts";
import { StatusText, useStatusDetails } from "../StatusText.tsx";

interface MonitorRowProps {
  list: ListOfKind;
  monitor: Monitor;
  /** Place in the list, from 0. */
  index: number;
  /** Where the row stands, in pixels from the first one's top. */
  top: number;
  chosen: boolean;
  onChoose: (monitor: Monitor, index: number, on: boolean, stretch: boolean) => void;
  /** Called with the element, to measure it. */
  measure: (row: HTMLElement | null) => void;
  onToggle: (monitor: Monitor) => void;
  onDelete: (monitor: Monitor) => void;
}

/** One line of the list. On phones everything but the menu stands in the first cell. */
export const MonitorRow = memo(function MonitorRow(props: MonitorRowProps) {
  const { list, monitor, index, top, chosen, measure, onChoose, onToggle, onDelete } = props;
  const { t, i18n } = useTranslation("monitor");
  const status = shownStatus(monitor);
  const time = shownResponseTime(monitor);
  return (
    <div
      role="row"
      ref={measure}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-index={index}
      data-status={status}
      style={{ transform: `translateY(${top}px)` }}
      className="monitor-columns absolute inset-x-0 top-0 aria-selected:bg-hover min-h-14 border-t border-line py-2 pr-2 pl-4 transition-colors hover:bg-hover data-[status=down]:bg-down-soft/45 data-[status=down]:hover:bg-down-soft"
    >
      <div role="cell" className="flex min-w-0 gap-3">
        {list.bulk && (
          <Checkbox
            label={t("select.one", { name: monitor.name })}
            checked={chosen}
            onChange={(on, stretch) => onChoose(monitor, index, on, stretch)}
            onKeyDown={moveToNextBox}
            className="relative z-1 mt-0.5"
          />
        )}
        <StatusDot status={status} className="mt-1.5" />
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline gap-3">
            <DetailLink monitor={monitor} status={status} />
            {time !== null && (
              <span className="ml-auto text-sm whitespace-nowrap text-ink-muted tabular-nums md:hidden">
                {formatResponseTime(time, i18n.language)}
              </span>
            )}
          </div>
          {list.address(monitor)}
          <div className="mt-1 min-w-0 text-sm md:hidden">
            <StatusText monitor={monitor} status={status} />
          </div>
        </div>
      </div>
      <div role="cell" className="hidden min-w-0 text-sm md:block">
        <StatusText monitor={monitor} status={status} />
      </div>
      {list.columns.map(({ sort, wide, cell }) => (
        <div
          key={sort}
          role="cell"
          className={`hidden truncate text-right text-sm ${wide ? "lg:block" : "md:block"}`}
        >
          {cell(monitor)}
        </div>
      ))}
      <div role="cell" className="relative z-1 justify-self-end">
        <RowMenu monitor={monitor} onToggle={onToggle} onDelete={onDelete} />
      </div>
    </div>
  );
});

/** The arrow keys go from box to box, so that a stretch can be chosen with Shift and the space bar. */
function moveToNextBox(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.currentTarget.closest<HTMLElement>("[data-index]");
  if (step === undefined || !row) return;
  const index = Number(row.dataset.index) + step;
  const next = row.parentElement?.querySelector<HTMLElement>(`[data-index="${index}"] input`);
  event.preventDefault();
  next?.focus();
}

/**
 * The whole row leads to the monitor's page, and shows under the pointer what it has no room for. A plain link with
 * the router behind it: a Link each would work the address out anew at every key of the search, a thousand times.
 */
function DetailLink({ monitor, status }: { monitor: Monitor; status: ShownStatus }) {
  const router = useRouter();
  const kind = useKind();
  const details = useStatusDetails(monitor, status);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: kind.pages.one, params: { id: String(monitor.id) } });
  };
  return (
    <a
      href={pageOf(kind, monitor.id)}
      onClick={follow}
      title={details}
      className={`min-w-0 truncate rounded-sm leading-5 font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus ${status === "paused" ? "text-ink-faint" : ""}`}
    >
      {monitor.name}
    </a>
  );
}

function RowMenu({
  monitor,
  onToggle,
  onDelete,
}: Pick<MonitorRowProps, "monitor" | "onToggle" | "onDelete">) {
  const { t } = useTranslation("monitor");
  const trigger = (
    <IconButton label={t("row.menu", { name: monitor.name })} data-monitor-menu={monitor.id}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem
        icon={monitor.enabled ? <Pause aria-hidden /> : <Play aria-hidden />}
        onSelect={() => onToggle(monitor)}
      >
        {t(monitor.enabled ? "row.pause" : "row.resume")}
      </MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => onDelete(monitor)}>
        {t("row.delete")}
      </MenuItem>
    </Menu>
  );
}
