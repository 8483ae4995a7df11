import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type PageChoice, pagesTelling } from "../api/incident-pages.ts";
import {
  type Incident,
  type IncidentStatus,
  incidentUpdatesQuery,
  useIncidentAct,
} from "../api/incidents.ts";
import { useDraft } from "./use-draft.ts";

/** Where people may move it on to (server/src/incident/status-rules.ts); what is resolved is reopened. */
const next: readonly IncidentStatus[] = ["investigating", "identified", "monitoring", "resolved"];

/** What each form of the composer is given: what is typed stays when the other one is looked at. */
export interface ComposeProps {
  incident: Incident;
  text: string;
  onText: (text: string) => void;
}

/** An update as it stands in its form. It belongs to the composer: what is chosen stays, too, when the other form is looked at. */
export function useUpdate({ incident, text, onText }: ComposeProps) {
  const act = useIncidentAct();
  const [status, setStatus] = useState<IncidentStatus | "">("");
  const { data: log } = useQuery(incidentUpdatesQuery(incident.id));
  const usual = pagesTelling(incident, log ?? []);
  /** Undefined: nobody has chosen. */
  const [chosen, setChoice] = useState<PageChoice | undefined>();
  const choice = chosen === undefined ? usual : chosen;
  const choices = incident.resolvedAt === null ? next.filter((one) => one !== incident.status) : [];
  const moved = choices.find((one) => one === status);
  // Where nobody outside reads it, it is about what all pages show.
  const about = { status: moved ?? incident.status, ...(choice?.length && { pages: choice }) };
  const drafting = useDraft({ id: incident.id, about, text, onText });
  const onSuccess = () => {
    onText("");
    drafting.forget();
    setStatus("");
    setChoice(undefined);
  };
  return {
    ...{ status, setStatus, choices, moved, usual, choice, setChoice, drafting },
    error: act.error,
    isSending: act.isPending,
    send: () =>
      act.mutate(
        {
          ...{ act: "update", id: incident.id, message: text },
          ...(moved && { status: moved }),
          ...(choice !== null && { pages: choice }),
        },
        { onSuccess },
      ),
  };
}

export type Updating = ReturnType<typeof useUpdate>;
