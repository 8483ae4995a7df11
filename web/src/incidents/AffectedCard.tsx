import { Link } from "@tanstack/react-router";
import { Unlink, Wrench } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, joinedSince, titleOf } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { Section } from "../components/Card.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { keepFocus, useFocusBack } from "../components/focus.ts";
import { StatusDot } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatDuration } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { monitorKinds, pageOf } from "../kinds.ts";
import { MoreMembers } from "./IncidentStatusText.tsx";
import { useActs } from "./use-acts.ts";

type Affected = Incident["affected"][number];

/** An outage of a monitor that is still known, which can have an incident of its own. */
const hasOwnOutage = (one: Affected): one is Affected & { monitorId: number } =>
  one.monitorId !== null && one.outageStartedAt !== null;

/** Outages that began within that time share an incident where they have a cause in common; a group of monitors may follow later. */
const togetherMs = 60_000;

function beganTogether(affected: readonly Affected[]): boolean {
  const begins = affected.flatMap(({ outageStartedAt: at }) => (at === null ? [] : Date.parse(at)));
  return Math.max(...begins) - Math.min(...begins) <= togetherMs;
}

const shownAffected = 2;

/** What is to be acknowledged once more comes first, and what is up again last. */
const rankIn = (joined: ReadonlySet<Affected>, one: Affected): number =>
  joined.has(one) ? 0 : one.outageEndedAt === null ? 1 : 2;

export function AffectedCard({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const [dialog, setDialog] = useState<{ only?: Affected & { monitorId: number } }>();
  const { affected, grouping, groupingFact } = incident;
  // The page's own words say what they have in common, unless a person wrote others.
  const isSaid = groupingFact !== null && incident.fact?.because?.code === groupingFact.code;
  const groupingWords = [
    ...(grouping === null || isSaid ? [] : [translateMessage(grouping, groupingFact)]),
    ...(grouping !== null && groupingFact?.code !== "grouped.merged" && beganTogether(affected)
      ? [t("affected.grouped")]
      : []),
  ];
  // By itself, or since people merged others into it.
  const isShared = new Set(affected.filter(hasOwnOutage).map((one) => one.monitorId)).size > 1 && canChange;
  const shown = affected.length > shownAffected + 1 ? shownAffected : affected.length;
  const joined = new Set(joinedSince(incident));
  const rows = affected
    .toSorted((a, b) => rankIn(joined, a) - rankIn(joined, b))
    .map((one, index) => (
      <AffectedRow
        key={`${one.monitorId} ${one.name} ${index}`}
        of={one}
        isOver={incident.resolvedAt !== null}
        isJoined={joined.has(one)}
        onSeparate={isShared && hasOwnOutage(one) ? () => setDialog({ only: one }) : undefined}
      />
    ));
  return (
    <Section
      title={t("affected.title")}
      trailing={
        isShared && (
          <Button ref={keepFocus} variant="quiet" onClick={() => setDialog({})}>
            {t("affected.separate")}
          </Button>
        )
      }
    >
      {groupingWords.length > 0 && (
        <p className="px-4 pb-3 text-sm text-pretty wrap-anywhere text-ink-muted">
          {groupingWords.join(" ")}
        </p>
      )}
      {affected.length === 0 && <p className="px-4 pb-4 text-sm text-ink-faint">{t("affected.none")}</p>}
      <div className="grid gap-2 px-4 pb-4 text-sm empty:hidden">
        {rows.length > 0 && <ul className="grid gap-2">{rows.slice(0, shown)}</ul>}
        {rows.length > shown && (
          <MoreMembers label={t("moreMembers", { count: rows.length - shown })} className="">
            <ul className="grid gap-2">{rows.slice(shown)}</ul>
          </MoreMembers>
        )}
      </div>
      {incident.suppressed && incident.suppressed.length > 0 && <HeldBack monitors={incident.suppressed} />}
      {dialog && <SeparateDialog incident={incident} {...dialog} onClose={() => setDialog(undefined)} />}
    </Section>
  );
}

interface AffectedRowProps {
  of: Affected;
  isOver: boolean;
  /** The incident was acknowledged before this went down, which is not. */
  isJoined: boolean;
  /** Absent where it cannot have an incident of its own. */
  onSeparate: (() => void) | undefined;
}

function AffectedRow({ of: one, isOver, isJoined, onSeparate }: AffectedRowProps) {
  const { t } = useTranslation("incidents");
  const separate = t("affected.separateOne", { name: one.name });
  return (
    <li className="flex min-w-0 items-baseline gap-2">
      {one.outageStartedAt !== null && (
        <StatusDot status={one.outageEndedAt === null ? (one.flapping ? "flapping" : "down") : "up"} plain />
      )}
      <span className="min-w-0 flex-1">
        <Name of={one} />
        <OutageWords of={one} />
        {isJoined && <span className="block text-down-ink">{t("joined.mark")}</span>}
        {!isOver && <MaintenanceWords of={one} />}
      </span>
      {onSeparate && (
        <button
          ref={keepFocus}
          type="button"
          aria-label={separate}
          title={separate}
          onClick={onSeparate}
          className="grid size-8 shrink-0 place-items-center self-center rounded-md text-ink-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <Unlink aria-hidden className="size-4" />
        </button>
      )}
    </li>
  );
}

const shownHeldBack = 10;

/** How many are down behind it, and which. */
function HeldBack({ monitors }: { monitors: NonNullable<Incident["suppressed"]> }) {
  const { t } = useTranslation("incidents");
  const count = monitors.length;
  return (
    <div className="px-4 pb-4 text-sm">
      <p className="text-pretty text-ink-muted">{t("affected.heldBack", { count })}</p>
      <ul className="mt-1 grid gap-1">
        {monitors.slice(0, shownHeldBack).map(({ id, kind, name }) => (
          <li key={id} className="flex min-w-0 items-baseline gap-2">
            <StatusDot status="down" plain />
            <Name of={{ name, kind, monitorId: id }} />
          </li>
        ))}
      </ul>
      {count > shownHeldBack && (
        <p className="mt-1 text-ink-faint">{t("affected.heldBackMore", { count: count - shownHeldBack })}</p>
      )}
    </div>
  );
}

function Name({ of: { name, kind, monitorId } }: { of: Pick<Affected, "name" | "kind" | "monitorId"> }) {
  if (kind === null || monitorId === null) return <span className="wrap-anywhere">{name}</span>;
  return (
    <Link
      to={pageOf(monitorKinds[kind], monitorId)}
      className="rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}

/** Why no notifications are sent for it at the moment. */
function MaintenanceWords({ of: { maintenanceUntil } }: { of: Affected }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  if (maintenanceUntil === null) return null;
  return (
    <span className="flex items-center gap-1.5 text-ink-muted" title={t("maintenance.text")}>
      <Wrench aria-hidden className="size-3.5 shrink-0" />
      {t("maintenance.until", { time: formatClock(Date.parse(maintenanceUntil), now, i18n.language) })}
    </span>
  );
}

function OutageWords({ of: { kind, outageStartedAt, outageEndedAt, flapping } }: { of: Affected }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  if (outageStartedAt === null) return null;
  const ms = (outageEndedAt ? Date.parse(outageEndedAt) : now) - Date.parse(outageStartedAt);
  const duration = formatDuration(ms, i18n.language);
  return (
    <span className="ml-2 inline-block text-ink-muted tabular-nums">
      {kind === "device"
        ? t(outageEndedAt === null ? "affected.problem" : "affected.hadProblem", { duration })
        : t(outageEndedAt === null ? `affected.${flapping ? "flapping" : "down"}` : "affected.was", {
            duration,
          })}
    </span>
  );
}

interface SeparateDialogProps {
  incident: Incident;
  /** The one that gets an incident of its own; undefined: each does. */
  only?: { monitorId: number; name: string };
  onClose: () => void;
}

/** Confirms before a monitor gets an incident of its own, and says who is notified. */
function SeparateDialog({ incident, only, onClose }: SeparateDialogProps) {
  const { t } = useTranslation("incidents");
  const { split } = useActs();
  const focusBack = useFocusBack();
  const confirm = () => {
    onClose();
    split(incident, only?.monitorId);
  };
  const { acknowledgedAt, acknowledgedByName } = incident;
  const name = acknowledgedByName ?? t("someone");
  const known = acknowledgedAt === null ? "" : t(only ? "separate.oneKnown" : "separate.allKnown", { name });
  return (
    <ConfirmDialog
      title={only ? t("separate.one", { name: only.name }) : t("separate.all", { title: titleOf(incident) })}
      text={[t(only ? "separate.oneText" : "separate.allText"), known].filter(Boolean).join(" ")}
      submitLabel={t("separate.submit")}
      busy={false}
      onLeft={focusBack}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
