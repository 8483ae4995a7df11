import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chosenPages, type PageChoice, pagesShowingQuery } from "../api/incident-pages.ts";
import type { Severity } from "../api/incidents.ts";
import { ImpactField } from "./ImpactField.tsx";
import { PagesField } from "./PagesField.tsx";
import { Reach } from "./Reach.tsx";

/** Nobody outside is told before somebody has said so. */
const onNone: readonly string[] = [];

interface PublishFieldsProps {
  /** Their uuids. */
  monitors: readonly string[];
  severity: Severity;
}

/** Where visitors are told of an incident that is reported, what they read, and how many hear of it. */
export function PublishFields({ monitors, severity }: PublishFieldsProps) {
  const { t } = useTranslation("incidents");
  const [choice, setChoice] = useState<PageChoice>(onNone);
  const { data: pages } = useQuery(pagesShowingQuery(monitors));
  if (monitors.length === 0 || !pages) return null;
  const chosen = chosenPages(pages, choice);
  return (
    <>
      <PagesField pages={pages} choice={choice} before={onNone} onChange={setChoice} />
      {chosen.map(({ uuid }) => (
        <input key={uuid} type="hidden" name="pages" value={uuid} />
      ))}
      {chosen.length > 0 && (
        <>
          <ImpactField severity={severity} />
          <div className="grid gap-1">
            <p className="text-sm text-ink-muted">{t("report.visitors")}</p>
            <Reach pages={chosen} />
          </div>
        </>
      )}
    </>
  );
}
