import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../api/client.ts";
import { type Incident, titleOf, useIncidentAct } from "../api/incidents.ts";
import { showToast } from "../toasts.ts";

/** What the action is called that acknowledges it: an acknowledged one, once more. */
export const acknowledgeKey = ({ acknowledgedAt }: Pick<Incident, "acknowledgedAt">) =>
  acknowledgedAt === null ? "action.acknowledge" : "action.acknowledgeAgain";

/** What is done to an incident by one press: it is said when it is done, and why when it is not. */
export function useActs(): Record<"acknowledge" | "resolve" | "reopen", (incident: Incident) => void> & {
  split: (incident: Incident, monitorId?: number) => void;
} {
  const { t } = useTranslation("incidents");
  const { mutate } = useIncidentAct();
  return useMemo(() => {
    const said = (text: string) => ({
      onSuccess: () => showToast("success", text),
      onError: (error: Error) => showToast("error", sentencesOf(error).join(" ")),
    });
    return {
      acknowledge: (incident) =>
        mutate(
          { act: "acknowledge", id: incident.id },
          said(t("done.acknowledged", { title: titleOf(incident) })),
        ),
      resolve: (incident) =>
        mutate(
          { act: "change", id: incident.id, status: "resolved" },
          said(t("done.resolved", { title: titleOf(incident) })),
        ),
      split: ({ id }, monitorId) =>
        mutate(
          { act: "split", id, ...(monitorId !== undefined && { monitorId }) },
          said(t("affected.separated")),
        ),
      reopen: (incident) =>
        mutate({ act: "reopen", id: incident.id }, said(t("done.reopened", { title: titleOf(incident) }))),
    };
  }, [t, mutate]);
}
