import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceDetail } from "../../api/monitor.ts";
import { DetailList, Section } from "../../components/Card.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { formatDateTime, formatInterval, formatRuntime } from "../../i18n/format.ts";
import { HEARTBEAT_PLACES, heartbeatLines } from "./heartbeat-lines.ts";

interface Shown {
  token?: string;
  cron?: string;
  timeZone?: string;
  grace?: number;
}

const USUAL_GRACE_SECONDS = 60;

/** When a job is expected, and where it reports. */
export function HeartbeatCard({ service }: { service: ServiceDetail }) {
  const shown = service.protocolConfig as Shown;
  return (
    <>
      <ScheduleSection service={service} graceSeconds={shown.grace ?? USUAL_GRACE_SECONDS} />
      <AddressCard service={service} where="first" />
    </>
  );
}

/** At the top until the job's first report, afterwards below the results; it does not move while it is shown. */
export function AddressCard({ service, where }: { service: ServiceDetail; where: "first" | "last" }) {
  const shown = service.protocolConfig as Shown;
  const [wasWaiting] = useState(!hasBegun(service));
  // Only those who may change the monitor learn its token.
  if (shown.token === undefined || wasWaiting !== (where === "first")) return null;
  return <AddressSection id={service.id} shown={shown} token={shown.token} />;
}

const hasBegun = ({ heartbeat }: ServiceDetail): boolean =>
  heartbeat?.lastAt != null || (heartbeat?.runs.length ?? 0) > 0;

function ScheduleSection({ service, graceSeconds }: { service: ServiceDetail; graceSeconds: number }) {
  const { t, i18n } = useTranslation("monitors/service");
  const { heartbeat, responseTime } = service;
  if (!heartbeat || !hasBegun(service)) return null;
  const time = (at: string) => formatDateTime(at, i18n.language);
  const grace = formatInterval(graceSeconds, i18n.language);
  const [run] = heartbeat.runs;
  const { lastAt, expectedAt } = heartbeat;
  return (
    <Section title={t("heartbeat.schedule.title")}>
      <div className="px-4 pb-4">
        <DetailList
          details={[
            [t("heartbeat.schedule.last"), lastAt && time(lastAt)],
            [
              t("heartbeat.schedule.expected"),
              expectedAt && t("heartbeat.schedule.expectedText", { time: time(expectedAt), grace }),
            ],
            [
              t("heartbeat.schedule.took"),
              responseTime !== null && formatRuntime(responseTime, i18n.language),
            ],
            [
              t("heartbeat.schedule.running"),
              run &&
                (run.lateAt === null
                  ? t("heartbeat.schedule.runningLate", { time: time(run.startedAt) })
                  : t("heartbeat.schedule.runningText", {
                      time: time(run.startedAt),
                      late: time(run.lateAt),
                    })),
            ],
          ]}
        />
      </div>
    </Section>
  );
}

function AddressSection({ id, token, shown }: { id: number; token: string; shown: Shown }) {
  const { t } = useTranslation("monitors/service");
  const [place, setPlace] = useState<(typeof HEARTBEAT_PLACES)[number]>("shell");
  const address = `${window.location.origin}/api/heartbeats/${id}/${token}`;
  const lines = heartbeatLines(place, { address, cron: shown.cron, timeZone: shown.timeZone });
  return (
    <Section title={t("heartbeat.title")}>
      <div className="px-4 pb-4">
        <p className="mb-3 text-sm text-pretty text-ink-muted">{t("heartbeat.text")}</p>
        <CopyableText>{address}</CopyableText>
        <CopyButton variant="quiet" className="mt-3" value={address} label={t("heartbeat.copy")} />
        <p className="mt-4 mb-3 text-sm text-pretty text-ink-muted">{t("heartbeat.more")}</p>
        <div className="overflow-x-auto">
          <div className="w-max">
            <RangePicker
              label={t("heartbeat.where")}
              options={HEARTBEAT_PLACES}
              value={place}
              textOf={(one) => ({ short: t(`heartbeat.place.${one}`), long: t(`heartbeat.place.${one}`) })}
              onPick={setPlace}
            />
          </div>
        </div>
        <pre className="mt-3 rounded-md border border-line bg-page px-3 py-2.5 text-xs leading-5 break-all whitespace-pre-wrap">
          {lines}
        </pre>
        <p className="mt-2 text-sm text-pretty text-ink-faint">{t(`heartbeat.hint.${place}`)}</p>
        <CopyButton
          key={place}
          variant="quiet"
          className="mt-3"
          value={lines}
          label={t("heartbeat.copyLines")}
        />
      </div>
    </Section>
  );
}
