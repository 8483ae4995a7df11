import { Link } from "@tanstack/react-router";
import { Unlink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Incident } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Section.tsx";
import { StatusDot } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDuration } from "../../format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { monitorKinds, pageOf } from "../../kinds/kinds.ts";
import { useActs } from "./use-acts.ts";

type Affected = Incident["affected"][number];

/** What it affects, each with its own outage. */
export function AffectedCard({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const { split } = useActs();
  const { affected, grouping, groupingFact } = incident;
  const isShared = grouping !== null && canChange;
  return (
    <Section title={t("affected.title")}>
      {grouping !== null && (
        <p className="px-4 pb-3 text-sm text-pretty break-words text-ink-muted">
          {factInReadersLanguage(grouping, groupingFact)} {t("affected.grouped")}
        </p>
      )}
      {affected.length === 0 && <p className="px-4 pb-4 text-sm text-ink-faint">{t("affected.none")}</p>}
      <ul className="grid gap-2 px-4 pb-4 text-sm empty:hidden">
        {affected.map((one, index) => (
          <li key={`${one.monitorId} ${one.name} ${index}`} className="flex min-w-0 items-baseline gap-2">
            {one.outageStartedAt !== null && (
              <StatusDot status={one.outageEndedAt === null ? "down" : "up"} plain />
            )}
            <span className="min-w-0 flex-1">
              <Name of={one} />
              <OutageWords of={one} />
            </span>
            {isShared && one.monitorId !== null && one.outageStartedAt !== null && (
              <button
                type="button"
                aria-label={t("affected.separateOne", { name: one.name })}
                title={t("affected.separateOne", { name: one.name })}
                onClick={() => split(incident, one.monitorId ?? 0)}
                className="grid size-8 shrink-0 place-items-center self-center rounded-md text-ink-muted transition-colors hover:bg-hover hover:text-ink"
              >
                <Unlink aria-hidden className="size-4" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {isShared && (
        <div className="px-4 pb-4">
          <Button variant="quiet" onClick={() => split(incident)}>
            {t("affected.separate")}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Name({ of: { name, kind, monitorId } }: { of: Affected }) {
  if (kind === null || monitorId === null) return <span className="break-words">{name}</span>;
  return (
    <Link
      to={pageOf(monitorKinds[kind], monitorId)}
      className="rounded-sm font-medium break-words underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}

function OutageWords({ of: { outageStartedAt, outageEndedAt } }: { of: Affected }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  if (outageStartedAt === null) return null;
  const ms = (outageEndedAt ? Date.parse(outageEndedAt) : now) - Date.parse(outageStartedAt);
  const duration = formatDuration(ms, i18n.language);
  return (
    <span className="block text-ink-muted tabular-nums">
      {t(outageEndedAt === null ? "affected.down" : "affected.was", { duration })}
    </span>
  );
}
