import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { incidentPagesQuery, pagesShowingQuery, pagesToCome } from "../api/incident-pages.ts";
import { type Incident, incidentUpdatesQuery } from "../api/incidents.ts";
import { formatNames } from "../i18n/format-names.ts";
import { Reach } from "./Reach.tsx";

interface PagesToComeProps {
  incident: Pick<Incident, "id" | "automatic">;
  /** What people say that it affects, by uuids. */
  monitors: readonly string[];
}

/** Which status pages come to tell of an incident by what it affects from now on, and how many hear of it there. */
export function PagesToCome({ incident, monitors }: PagesToComeProps) {
  const { t, i18n } = useTranslation("incidents");
  const { data: log } = useQuery(incidentUpdatesQuery(incident.id));
  const { data: present } = useQuery(incidentPagesQuery(incident.id));
  const { data: later } = useQuery(pagesShowingQuery(monitors));
  if (monitors.length === 0 || !log || !present || !later) return null;
  const more = pagesToCome(incident, log, { present, later });
  if (more.length === 0) return null;
  const names = formatNames(
    more.map(({ name }) => name),
    i18n.language,
  );
  return (
    <div className="grid gap-1">
      <p role="status" className="text-sm wrap-anywhere text-warn-ink">
        {t("edit.toCome", { names })}
      </p>
      <Reach pages={more} />
    </div>
  );
}
