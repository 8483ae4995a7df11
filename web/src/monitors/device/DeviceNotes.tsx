import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DeviceDetail } from "../../api/devices.ts";
import { Section } from "../../components/Card.tsx";
import { CopyableText } from "../../components/CopyButton.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDuration } from "../../i18n/format.ts";

/** What to do about a device that is silent, and what is wrong with it beside its status. */
export function DeviceNotes({ device }: { device: DeviceDetail }) {
  const warnings = useWarnings(device);
  return (
    <>
      {device.state === "down" && <WhatToDo />}
      {warnings.length > 0 && (
        <ul className="grid gap-2">
          {warnings.map((words) => (
            <li
              key={words}
              className="flex gap-2.5 rounded-lg bg-warn-soft px-4 py-3 text-sm text-pretty text-warn-ink"
            >
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {words}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WhatToDo() {
  const { t } = useTranslation("monitors/device");
  return (
    <Section title={t("page.offline.title")}>
      <ol className="grid list-decimal gap-2 pr-4 pb-4 pl-9 text-sm text-pretty">
        <li>{t("page.offline.machine")}</li>
        <li>
          {t("page.offline.agent")}
          <div className="mt-1.5 max-w-xl">
            <CopyableText>{agentStatus}</CopyableText>
          </div>
        </li>
        <li>{t("page.offline.token")}</li>
      </ol>
    </Section>
  );
}

const agentStatus = "systemctl status vedette-agent; journalctl -u vedette-agent -n 50";

/** A clock that is off by less does no harm. */
const noticedSeconds = 60;

function useWarnings(device: DeviceDetail): string[] {
  const { rival, copies, clockAheadSeconds, droppedReports, unresponsiveMounts, isOnline } = device;
  const { t, i18n } = useTranslation("monitors/device");
  const now = useNow();
  const warnings: string[] = [];
  // Unknown while the device is silent.
  if (isOnline && unresponsiveMounts.length > 0) {
    const mounts = new Intl.ListFormat(i18n.language).format(unresponsiveMounts);
    warnings.push(t("page.warn.mounts", { count: unresponsiveMounts.length, mounts }));
  }
  if (rival) {
    const ago = formatAgo(now - Date.parse(rival.lastSeen), i18n.language);
    const hostname = rival.hostname ?? t("page.warn.rivalUnnamed");
    warnings.push(t("page.warn.rival", { hostname, address: rival.address, ago }));
  }
  if (copies.length > 0) {
    const names = new Intl.ListFormat(i18n.language).format(copies.map(({ name }) => name));
    warnings.push(t("page.warn.copies", { names }));
  }
  if (clockAheadSeconds !== null && Math.abs(clockAheadSeconds) >= noticedSeconds) {
    const duration = formatDuration(Math.abs(clockAheadSeconds) * 1000, i18n.language);
    warnings.push(t(clockAheadSeconds > 0 ? "page.warn.ahead" : "page.warn.behind", { duration }));
  }
  if (droppedReports > 0) warnings.push(t("page.warn.dropped", { count: droppedReports }));
  return warnings;
}
