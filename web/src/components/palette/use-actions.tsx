import { useQuery } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { Copy, Pause, Pencil, Play, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { monitorQuery } from "../../api/monitor.ts";
import { useAddMonitor } from "../../api/monitors.ts";
import { mayWrite } from "../../api/roles.ts";
import type { Session } from "../../api/session.ts";
import { monitorKinds } from "../../kinds/kinds.ts";
import { focusPage } from "../focus-page.ts";
import { addressIn } from "./fits.ts";
import type { LocalGroup, LocalItem, PaletteControls } from "./items.ts";
import { useOpenMonitor } from "./monitor-items.tsx";
import { named } from "./named.ts";
import { useMonitorActs } from "./use-monitor-acts.ts";
import { usePersonActions } from "./use-person-actions.tsx";
import { monitorAt } from "./use-remember-visits.ts";

interface Asked {
  session: Session;
  typed: string;
  controls: PaletteControls;
}

/** What can be done from here; what the role does not permit is not offered. */
export function useActions({ session, typed, controls }: Asked): LocalGroup {
  const canWrite = mayWrite(session.organization.role);
  const ofShown = useShownMonitorActions(canWrite);
  const ofAny = useAnyMonitorActions(canWrite, controls);
  const adding = useAdding(typed, controls);
  const ofPerson = usePersonActions(session);
  return { id: "actions", all: [...(canWrite ? adding : []), ...ofShown, ...ofAny, ...ofPerson] };
}

/** What can be done with the monitor whose page is open. */
function useShownMonitorActions(canWrite: boolean): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const router = useRouter();
  const acts = useMonitorActs();
  const shown = monitorAt(useRouterState({ select: ({ location }) => location.pathname }));
  const { kind = monitorKinds.domain, id = 0 } = shown ?? {};
  const { data: monitor } = useQuery({ ...monitorQuery(kind, id), enabled: shown !== null });
  if (!shown || !monitor) return [];
  const { name, enabled } = monitor;
  const edit = () => router.navigate({ to: kind.pages.edit, params: { id: String(id) } }).then(focusPage);
  const changing: LocalItem[] = [
    {
      id: "toggle",
      icon: enabled ? <Pause aria-hidden /> : <Play aria-hidden />,
      ...named(t, enabled ? "action.pause" : "action.resume", { name }),
      atOnce: true,
      run: () => acts.toggle(kind, id),
    },
    {
      id: "edit",
      icon: <Pencil aria-hidden />,
      ...named(t, "action.edit", { name }),
      atOnce: true,
      href: kind.pages.edit.replace("$id", String(id)),
      run: () => void edit(),
    },
  ];
  const copying: LocalItem = {
    id: "copy-id",
    icon: <Copy aria-hidden />,
    ...named(t, "action.copyId", { name }),
    atOnce: true,
    run: () => acts.copyId(kind, id),
  };
  return [...(canWrite ? changing : []), copying];
}

/** What can be done with a monitor that is asked for next. */
function useAnyMonitorActions(canWrite: boolean, { ask }: PaletteControls): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const toggling: LocalItem = {
    id: "toggle-any",
    icon: <Pause aria-hidden />,
    ...named(t, "action.toggleAny"),
    atOnce: true,
    stays: true,
    run: () => ask("toggle"),
  };
  const copying: LocalItem = {
    id: "copy-id-any",
    icon: <Copy aria-hidden />,
    ...named(t, "action.copyIdAny"),
    stays: true,
    run: () => ask("copyId"),
  };
  return [...(canWrite ? [toggling] : []), copying];
}

/** The forms for something new; of an address that was typed, the thing itself. */
function useAdding(typed: string, { close, fail }: PaletteControls): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const router = useRouter();
  const open = useOpenMonitor();
  const add = useAddMonitor(monitorKinds.domain);
  const address = addressIn(typed);
  const addAddress = (url: string) =>
    add.mutateAsync({ url }).then(
      ({ data }) => {
        close();
        open(monitorKinds.domain, data.id);
      },
      (error: Error) => fail(sentencesOf(error).join(" ")),
    );
  const forms = Object.values(monitorKinds).map(
    ({ id, pages }): LocalItem => ({
      id: `add-${id}`,
      icon: <Plus aria-hidden />,
      ...named(t, `action.add.${id}`),
      atOnce: true,
      href: pages.add,
      run: () => void router.navigate({ to: pages.add }).then(focusPage),
    }),
  );
  if (address === null) return forms;
  const adding: LocalItem = {
    id: "add-address",
    icon: <Plus aria-hidden />,
    text: t("action.addAddress", { address }),
    always: true,
    stays: true,
    run: () => {
      if (!add.isPending) void addAddress(address);
    },
  };
  return [adding, ...forms];
}
