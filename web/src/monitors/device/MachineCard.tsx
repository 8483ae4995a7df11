import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { DeviceDetail } from "../../api/devices.ts";
import { DetailList, type LabelledValue, Section } from "../../components/Card.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatCount, formatDate, formatDuration } from "../../i18n/format.ts";
import { formatBytes, formatShare } from "../../i18n/format-amounts.ts";
import { monitorKinds } from "../../kinds.ts";
import { fillOf, LastSeen, measures } from "./Usage.tsx";

export function MachineCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation("monitors/device");
  const [machine, agent] = useDetails(device);
  return (
    <Section title={t("page.details")}>
      {device.lastSeen === null ? (
        <p className="px-4 pt-1 pb-5 text-ink-muted">{t("page.unknown")}</p>
      ) : (
        <>
          <Now device={device} />
          <div className="grid gap-x-8 gap-y-1.5 px-4 pb-4 sm:grid-cols-2">
            <DetailList details={machine} />
            <DetailList details={agent} />
          </div>
        </>
      )}
    </Section>
  );
}

function Now({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation("monitors/device");
  return (
    <dl className="grid grid-cols-3 gap-4 px-4 pt-1 pb-4">
      {measures.map((id) => (
        <Fragment key={id}>
          <Gauge label={t(`column.${id}`)} percent={device.metrics[`${id}Usage`]} fill={fillOf(device, id)} />
        </Fragment>
      ))}
    </dl>
  );
}

function Gauge({ label, percent, fill }: { label: string; percent: number | null; fill: string }) {
  const { i18n } = useTranslation("monitors/device");
  return (
    <div className="min-w-0">
      <dt className="truncate text-xs text-ink-faint">{label}</dt>
      <dd>
        <span className="text-lg font-semibold tabular-nums">
          {percent === null ? "–" : formatShare(percent, i18n.language)}
        </span>
        <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className={`block h-full rounded-full ${fill}`}
            style={{ width: `${Math.min(100, Math.max(0, percent ?? 0))}%` }}
          />
        </span>
      </dd>
    </div>
  );
}

function useDetails(device: DeviceDetail): [machine: LabelledValue[], agent: LabelledValue[]] {
  const { t, i18n } = useTranslation("monitors/device");
  const now = useNow();
  const { language } = i18n;
  const { hostname, os, kernel, architecture, cpu, cpuCores, bootedAt, agentVersion, tokenSince } = device;
  const bytes = (amount: number | null) => amount !== null && amount > 0 && formatBytes(amount, language);
  const own = (text: string | null) => text && <bdi>{text}</bdi>;
  const linked = device.linkedMonitors.length > 0 && <Linked device={device} />;
  return [
    [
      [t("page.detail.hostname"), own(hostname)],
      [t("page.detail.os"), own(os)],
      [t("page.detail.kernel"), own([kernel, architecture].filter(Boolean).join(" · "))],
      [t("page.detail.cpu"), own(cpu)],
      [t("page.detail.cores"), cpuCores !== null && formatCount(cpuCores, language)],
      [t("page.detail.memory"), bytes(device.totalMemory)],
      [t("page.detail.swap"), bytes(device.totalSwap)],
      [t("page.detail.disk"), bytes(device.totalDisk)],
    ],
    [
      [t("page.detail.uptime"), bootedAt !== null && formatDuration(now - Date.parse(bootedAt), language)],
      [t("page.detail.seen"), <LastSeen key="seen" device={device} />],
      [t("page.detail.agent"), own(agentVersion)],
      [t("page.detail.token"), tokenSince !== null && formatDate(tokenSince, language)],
      [t("page.detail.linked"), linked],
    ],
  ];
}

function Linked({ device: { linkedMonitors } }: { device: DeviceDetail }) {
  return (
    <ul className="flex flex-wrap gap-x-3">
      {linkedMonitors.map(({ id, uuid, kind, name }) => (
        <li key={uuid} className="min-w-0">
          <Link
            to={monitorKinds[kind].pages.one}
            params={{ id: String(id) }}
            dir="auto"
            className="rounded-sm wrap-anywhere underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
