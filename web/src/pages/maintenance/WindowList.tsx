import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarOff, CalendarX2, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { type MaintenanceWindow, useWindowAct } from "../../api/maintenance.ts";
import { useMayWrite } from "../../api/roles.ts";
import { IconButton } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { Menu, MenuItem } from "../../components/Menu.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { showToast } from "../../components/toasts.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useNow } from "../../components/use-now.ts";
import { formatClock, formatDateTime, formatSpan } from "../../format.ts";
import { useWindowWords } from "./window-words.ts";

/** One window a row: what it is for, and when it is open. */
export function WindowList({ windows }: { windows: MaintenanceWindow[] | undefined }) {
  const { t } = useTranslation("maintenance");
  const mayWrite = useMayWrite();
  const [deleting, setDeleting] = useState<MaintenanceWindow | null>(null);
  const columns: Column<MaintenanceWindow>[] = [
    { id: "name", head: t("column.name"), cell: (window) => <WindowName window={window} />, names: true },
    { id: "when", head: t("column.when"), cell: (window) => <WindowTimes window={window} />, wide: true },
  ];
  if (mayWrite) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("column.actions")}</span>,
      cell: (window) => <WindowMenu window={window} onDelete={() => setDeleting(window)} />,
      align: "end",
      width: "w-16",
    });
  }
  return (
    <>
      <Table
        columns={columns}
        rows={windows}
        keyOf={({ id }) => id}
        note={(window) => <WindowTimes window={window} />}
      />
      {deleting && <DeleteWindowDialog window={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

function WindowName({ window }: { window: MaintenanceWindow }) {
  const { scopeWords } = useWindowWords();
  return (
    <>
      <Link
        to="/maintenance/$id"
        params={{ id: String(window.id) }}
        className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {window.title}
      </Link>
      <div className="truncate text-xs font-normal text-ink-faint">{scopeWords(window)}</div>
    </>
  );
}

/** "Open until 14:00", or the next time; and how often. */
function WindowTimes({ window }: { window: MaintenanceWindow }) {
  const { t, i18n } = useTranslation("maintenance");
  const { scheduleWords } = useWindowWords();
  const now = useNow();
  const { openUntil, nextAt, startsAt, duration } = window;
  const nextMs = Date.parse(nextAt ?? startsAt);
  const span = formatSpan(nextMs, nextMs + duration * 1000, now, i18n.language);
  const until = openUntil && formatClock(Date.parse(openUntil), now, i18n.language);
  return (
    <>
      <div
        title={formatDateTime(openUntil ?? nextAt ?? startsAt, i18n.language)}
        className={`tabular-nums ${openUntil ? "font-medium text-ink" : "text-ink-muted"}`}
      >
        {until ? t("openUntil", { time: until }) : span}
      </div>
      <div className="text-xs wrap-anywhere text-ink-faint">{scheduleWords(window)}</div>
    </>
  );
}

function WindowMenu({ window, onDelete }: { window: MaintenanceWindow; onDelete: () => void }) {
  const { t } = useTranslation(["maintenance", "shared"]);
  const { mutate } = useWindowAct();
  const navigate = useNavigate();
  const { id, title, openUntil, nextAt } = window;
  const run = (act: "end" | "skip") =>
    mutate(
      { id, act },
      {
        onSuccess: () => showToast("success", t(`done.${act}`, { title })),
        onError: (error) => showToast("error", sentencesOf(error).join(" ")),
      },
    );
  const trigger = (
    <IconButton label={t("actionsFor", { title })} data-window={id} className="-my-1.5 -mr-2">
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {openUntil !== null && (
        <MenuItem icon={<CalendarOff aria-hidden />} onSelect={() => run("end")}>
          {t("action.end")}
        </MenuItem>
      )}
      {nextAt !== null && (
        <MenuItem icon={<CalendarX2 aria-hidden />} onSelect={() => run("skip")}>
          {t("action.skip")}
        </MenuItem>
      )}
      <MenuItem
        icon={<Pencil aria-hidden />}
        onSelect={() => void navigate({ to: "/maintenance/$id", params: { id: String(id) } }).then(focusPage)}
      >
        {t("action.edit")}
      </MenuItem>
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={onDelete}>
        {t("shared:action.delete")}
      </MenuItem>
    </Menu>
  );
}

/** Asks, deletes, and says so. */
function DeleteWindowDialog({ window, onDone }: { window: MaintenanceWindow; onDone: () => void }) {
  const { t } = useTranslation(["maintenance", "shared"]);
  const deletion = useWindowAct();
  const { id, title } = window;
  const tell = () => {
    showToast("success", t("done.delete", { title }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("delete.title", { title })}
      text={t("delete.text")}
      submitLabel={t("shared:action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate({ id, act: "delete" }, { onSuccess: tell })}
      onCancel={onDone}
      onLeft={useFocusBack(focusPage)}
    />
  );
}
