import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { Check, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { incidentQuery, stillDown, titleOf, useIncidentAct } from "../../api/incidents.ts";
import { showToast } from "../toasts.ts";
import type { LocalItem } from "./items.ts";
import { named } from "./named.ts";

/** What can be done with the incident whose page is open, which shows it when it is done. */
export function useIncidentActions(canWrite: boolean): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const id = Number(/^\/incidents\/(\d+)$/.exec(path)?.[1] ?? 0);
  const { data: incident } = useQuery({ ...incidentQuery(id), enabled: canWrite && id > 0 });
  const { mutateAsync } = useIncidentAct();
  if (!canWrite || !incident || incident.resolvedAt !== null || incident.mergedIntoId !== null) return [];
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
  return [...(incident.acknowledgedAt === null ? [acknowledge] : []), ...(isOver ? [resolve] : [])];
}
