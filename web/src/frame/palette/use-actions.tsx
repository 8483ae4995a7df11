import { useQuery } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { Check, CircleCheck, Copy, Download, Pause, Plus, RefreshCw, Upload } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { waitingIncidentsQuery } from "../../api/incident-list.ts";
import {
  incidentQuery,
  needsAcknowledging,
  stillDown,
  titleOf,
  useIncidentAct,
} from "../../api/incidents.ts";
import { monitorQuery } from "../../api/monitor.ts";
import { useAddMonitor } from "../../api/monitors.ts";
import { mayWrite } from "../../api/roles.ts";
import type { Session } from "../../api/session.ts";
import { focusPage } from "../../components/focus.ts";
import { useActs } from "../../incidents/use-acts.ts";
import { monitorKinds } from "../../kinds.ts";
import { type MonitorActId, useMonitorActs } from "../../monitors/monitor-acts.ts";
import { apiPaths } from "../../paths.ts";
import { showToast } from "../../toasts.ts";
import {
  addressIn,
  type LocalGroup,
  type LocalItem,
  named,
  type PaletteControls,
  type Step,
} from "./items.ts";
import { useOpenMonitor } from "./monitor-items.tsx";
import { monitorAt } from "./palette-state.ts";
import { usePersonActions } from "./use-person-actions.tsx";

interface ActionOptions {
  session: Session;
  typed: string;
  controls: PaletteControls;
}

/** What can be done from here; what the role does not permit is not offered. */
export function useActions({ session, typed, controls }: ActionOptions): LocalGroup {
  const canWrite = mayWrite(session.organization.role);
  const ofIncident = useIncidentActions(canWrite);
  const ofShown = useShownMonitorActions();
  const ofAny = useAnyMonitorActions(canWrite, controls);
  const adding = useAdding(typed, controls);
  const ofFiles = useFileActions(canWrite);
  const ofPerson = usePersonActions(session);
  return {
    id: "actions",
    all: [...ofIncident, ...(canWrite ? adding : []), ...ofShown, ...ofAny, ...ofFiles, ...ofPerson],
  };
}

/** Monitors from a file, and into one. */
function useFileActions(canWrite: boolean): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const router = useRouter();
  const importing: LocalItem = {
    id: "import",
    icon: <Upload aria-hidden />,
    ...named(t, "action.import"),
    href: "/import",
    run: () => void router.navigate({ to: "/import" }).then(focusPage),
  };
  const exporting: LocalItem = {
    id: "export",
    icon: <Download aria-hidden />,
    ...named(t, "action.export"),
    // The answer is a file: the page stays.
    run: () => window.location.assign(apiPaths.exports),
  };
  return [...(canWrite ? [importing] : []), exporting];
}

/** What is offered for a monitor whose page is open, in this order. */
const shownActs: readonly MonitorActId[] = ["check", "mute", "unmute", "toggle", "edit", "copyId"];

/** What can be done with the monitor whose page is open. */
function useShownMonitorActions(): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const shown = monitorAt(useRouterState({ select: ({ location }) => location.pathname }));
  const { kind = monitorKinds.domain, id = 0 } = shown ?? {};
  const actsOf = useMonitorActs(kind, { showsToast: true });
  const { data: monitor } = useQuery({ ...monitorQuery(kind, id), enabled: shown !== null });
  if (!shown || !monitor) return [];
  const acts = actsOf(monitor);
  return shownActs.flatMap((one): LocalItem | [] => {
    const act = acts[one];
    if (!act?.offered) return [];
    const { word, icon: Icon, href, run } = act;
    return {
      id: one,
      icon: <Icon aria-hidden />,
      ...named(t, `action.${word as "check"}`, { name: monitor.name }),
      atOnce: true,
      ...(href !== undefined && { href }),
      run,
    };
  });
}

/** The actions of a monitor that is chosen next. */
function useAnyMonitorActions(canWrite: boolean, { openStep }: PaletteControls): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const stepItem = (step: Step, icon: ReactElement, atOnce: boolean): LocalItem => ({
    id: `${step}-any`,
    icon,
    ...named(t, `action.${step}Any`),
    atOnce,
    stays: true,
    run: () => openStep(step),
  });
  const changing = [
    stepItem("check", <RefreshCw aria-hidden />, true),
    stepItem("toggle", <Pause aria-hidden />, true),
  ];
  return [...(canWrite ? changing : []), stepItem("copyId", <Copy aria-hidden />, false)];
}

/** The forms for something new; of an address that was typed, the thing itself. */
function useAdding(typed: string, { close, fail }: PaletteControls): LocalItem[] {
  const { t } = useTranslation("frame/palette");
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

/** So many are offered by name. */
const mostWaiting = 5;

/** Acknowledges an open incident, on any page: what has waited longest first. */
function useWaiting(canWrite: boolean, shownId: number): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const { data } = useQuery({ ...waitingIncidentsQuery(mostWaiting), enabled: canWrite });
  const { acknowledge } = useActs();
  return (data?.incidents ?? [])
    .filter(({ id }) => id !== shownId)
    .map((incident) => ({
      id: `acknowledge-${incident.id}`,
      icon: <Check aria-hidden />,
      ...named(t, "action.acknowledge", { name: titleOf(incident) }),
      run: () => acknowledge(incident),
    }));
}

/** What can be done with the incident whose page is open, which shows it when it is done, and with those that wait. */
function useIncidentActions(canWrite: boolean): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const id = Number(/^\/incidents\/(\d+)$/.exec(path)?.[1] ?? 0);
  const { data: incident } = useQuery({ ...incidentQuery(id), enabled: canWrite && id > 0 });
  const { mutateAsync } = useIncidentAct();
  const waiting = useWaiting(canWrite, id);
  if (!canWrite || !incident || incident.resolvedAt !== null || incident.mergedIntoId !== null)
    return waiting;
  const name = titleOf(incident);
  // The palette is gone by the time of the answer.
  const act = (wanted: Parameters<typeof mutateAsync>[0]) => () =>
    void mutateAsync(wanted).catch((error: Error) => showToast("error", sentencesOf(error).join(" ")));
  const acknowledge: LocalItem = {
    id: "acknowledge",
    icon: <Check aria-hidden />,
    ...named(t, "action.acknowledge", { name }),
    atOnce: true,
    run: act({ act: "acknowledge", id }),
  };
  const resolve: LocalItem = {
    id: "resolve",
    icon: <CircleCheck aria-hidden />,
    ...named(t, "action.resolve", { name }),
    run: act({ act: "change", id, status: "resolved" }),
  };
  // Where something is still down, the page's own button confirms first.
  const isOver = stillDown(incident).length === 0;
  return [...(needsAcknowledging(incident) ? [acknowledge] : []), ...(isOver ? [resolve] : []), ...waiting];
}
