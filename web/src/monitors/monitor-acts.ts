import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Bell, BellOff, Copy, type LucideIcon, Pause, Pencil, Play, RefreshCw, Trash2 } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCheckNow } from "../api/check-now.ts";
import { sentencesOf } from "../api/client.ts";
import { useSaveWindow, useWindowAct, windowsQuery } from "../api/maintenance.ts";
import type { Monitor } from "../api/monitor-list.ts";
import { useSetEnabled } from "../api/monitors.ts";
import { useMayWrite } from "../api/roles.ts";
import { useCopy } from "../components/CopyButton.tsx";
import { focusPage } from "../components/focus.ts";
import { formatClock } from "../i18n/format.ts";
import { editPageOf, type MonitorKind } from "../kinds.ts";
import { showToast } from "../toasts.ts";
import { phasesOf } from "./descriptor.ts";

/** What can be done with one monitor. Each place that offers it chooses from these, and in which order. */
export type MonitorActId = "check" | "edit" | "mute" | "unmute" | "toggle" | "copy" | "copyId" | "delete";

export interface MonitorAct {
  /** Its text, below `action` on a button and in the palette, below `row` in a menu. */
  word: Exclude<MonitorActId, "toggle"> | "pause" | "resume";
  icon: LucideIcon;
  danger?: boolean;
  /** Whether it makes sense now. Otherwise the API refuses it and says why. */
  offered: boolean;
  /** Where it leads, for another tab. */
  href?: string;
  run: () => void;
}

export type MonitorActs = Readonly<Partial<Record<MonitorActId, MonitorAct>>>;

interface Options {
  /** Needs a confirmation. */
  onDelete?: (monitor: Monitor) => void;
  /** The reader may not see the monitor: what was done is said. */
  showsToast?: boolean;
}

/** What the reader may do with monitors of a kind. */
export function useMonitorActs(
  kind: MonitorKind,
  { onDelete, showsToast = false }: Options = {},
): (monitor: Monitor) => MonitorActs {
  const mayWrite = useMayWrite();
  const changing = useChangingActs(kind, { onDelete, showsToast });
  const copying = useCopyingActs(kind);
  return useMemo(
    () => (monitor) => ({ ...(mayWrite && changing(monitor)), ...copying(monitor) }),
    [mayWrite, changing, copying],
  );
}

function useChangingActs(
  kind: MonitorKind,
  { onDelete, showsToast }: Options,
): (monitor: Monitor) => MonitorActs {
  const { t } = useTranslation("monitors");
  const router = useRouter();
  const { mutateAsync: setEnabled } = useSetEnabled(kind);
  const { mutate: check } = useCheckNow(kind);
  const mute = useMute();
  const unmute = useUnmute();
  return useMemo(() => {
    const toggle = ({ id, name, enabled }: Monitor) => {
      const confirmDone = () => showToast("success", t(enabled ? "done.paused" : "done.resumed", { name }));
      // The mutation itself reports failures.
      setEnabled({ id, enabled: !enabled }).then(showsToast ? confirmDone : undefined, () => undefined);
    };
    return (monitor) => {
      const { id, enabled } = monitor;
      const href = editPageOf(kind, id);
      return {
        check: {
          word: "check",
          icon: RefreshCw,
          // A heartbeat reports by itself; there is nothing to check.
          offered: enabled && phasesOf(kind.typeOf(monitor)).length > 0,
          run: () => check(monitor),
        },
        edit: {
          word: "edit",
          icon: Pencil,
          offered: true,
          href,
          run: () => void router.navigate({ to: href }).then(focusPage),
        },
        mute: {
          word: "mute",
          icon: BellOff,
          offered: enabled && monitor.maintenanceUntil === null,
          run: () => mute(monitor),
        },
        unmute: {
          word: "unmute",
          icon: Bell,
          offered: enabled && monitor.maintenanceUntil !== null,
          run: () => void unmute(monitor),
        },
        toggle: {
          word: enabled ? "pause" : "resume",
          icon: enabled ? Pause : Play,
          offered: true,
          run: () => toggle(monitor),
        },
        ...(onDelete && {
          delete: {
            word: "delete",
            icon: Trash2,
            danger: true,
            offered: true,
            run: () => onDelete(monitor),
          },
        }),
      };
    };
  }, [kind, t, router, setEnabled, check, mute, unmute, onDelete, showsToast]);
}

const muteSeconds = 3_600;

/** Plans maintenance of one monitor for the next hour, and says so, with the way back. */
function useMute(): (monitor: Monitor) => void {
  const { t, i18n } = useTranslation("monitors");
  const { mutateAsync: plan } = useSaveWindow(null);
  const { mutate: act } = useWindowAct();
  return useMemo(
    () => (monitor) => {
      const { id, name } = monitor;
      // Without a title: status pages would show what it says.
      plan({ duration: muteSeconds, monitorIds: [id] }).then(
        (window) => {
          const until = formatClock(Date.parse(window.openUntil ?? ""), Date.now(), i18n.language);
          const undo = { label: t("mute.undo"), run: () => act({ id: window.id, act: "end" }) };
          showToast("success", t("mute.done", { name, until }), { action: undo });
        },
        (error: unknown) => showToast("error", sentencesOf(error).join(" ")),
      );
    },
    [t, i18n.language, plan, act],
  );
}

/** What other monitors are in as well is not ended from here: it leads there. */
function useUnmute(): (monitor: Monitor) => Promise<void> {
  const { t } = useTranslation("monitors");
  const client = useQueryClient();
  const router = useRouter();
  const { mutateAsync: act } = useWindowAct();
  return useCallback(
    async ({ id, name }) => {
      try {
        const windows = await client.fetchQuery({ ...windowsQuery(false), staleTime: 0 });
        const open = windows.filter(({ openUntil }) => openUntil !== null);
        const own = open.filter(
          ({ everything, tags, monitors }) =>
            !everything && tags.length === 0 && monitors.length === 1 && monitors[0]?.id === id,
        );
        for (const window of own) await act({ id: window.id, act: "end" });
        if (own.length > 0) return void showToast("success", t("mute.ended", { name }));
        const show = () => void router.navigate({ to: "/maintenance" }).then(focusPage);
        showToast("info", t("mute.shared", { name }), { action: { label: t("mute.show"), run: show } });
      } catch (error) {
        showToast("error", sentencesOf(error).join(" "));
      }
    },
    [t, client, router, act],
  );
}

function useCopyingActs(kind: MonitorKind): (monitor: Monitor) => MonitorActs {
  const { t } = useTranslation("monitors");
  const copy = useCopy();
  return useMemo(() => {
    const copyAddress = (monitor: Monitor) => copy(kind.addressOf(monitor), t(`copy.${kind.id}.done`));
    const copyId = ({ name, uuid }: Monitor) => copy(uuid, t("done.copied", { name }));
    return (monitor) => ({
      copy: { word: "copy", icon: Copy, offered: true, run: () => void copyAddress(monitor) },
      copyId: { word: "copyId", icon: Copy, offered: true, run: () => void copyId(monitor) },
    });
  }, [kind, t, copy]);
}
