import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Incident } from "../../api/incidents.ts";
import { Section } from "../../components/Section.tsx";
import { StatusDot } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDuration } from "../../format.ts";
import { monitorKinds, pageOf } from "../../kinds/kinds.ts";

type Affected = Incident["affected"][number];

/** What it affects, each with its own outage. */
export function AffectedCard({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const { affected } = incident;
  return (
    <Section title={t("affected.title")}>
      {affected.length === 0 && <p className="px-4 pb-4 text-sm text-ink-faint">{t("affected.none")}</p>}
      <ul className="grid gap-2 px-4 pb-4 text-sm empty:hidden">
        {affected.map((one, index) => (
          <li key={`${one.monitorId} ${one.name} ${index}`} className="flex min-w-0 items-baseline gap-2">
            {one.outageStartedAt !== null && (
              <StatusDot status={one.outageEndedAt === null ? "down" : "up"} plain />
            )}
            <span className="min-w-0">
              <Name of={one} />
              <OutageWords of={one} />
            </span>
          </li>
        ))}
      </ul>
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
