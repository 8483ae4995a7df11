import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { Check, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { waitingIncidentsQuery } from "../../api/incident-list.ts";
import { incidentQuery, stillDown, titleOf, useIncidentAct } from "../../api/incidents.ts";
import { useActs } from "../../incidents/use-acts.ts";
import { showToast } from "../../toasts.ts";
import type { LocalItem } from "./items.ts";
import { named } from "./named.ts";

/** So many are offered by name. */
const mostWaiting = 5;

/** Acknowledging what nobody has acknowledged yet, wherever the reader is: what has waited longest first. */
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
export function useIncidentActions(canWrite: boolean): LocalItem[] {
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
  // Where something is still down, the page's own button asks first.
  const isOver = stillDown(incident).length === 0;
  return [
    ...(incident.acknowledgedAt === null ? [acknowledge] : []),
    ...(isOver ? [resolve] : []),
    ...waiting,
  ];
}
