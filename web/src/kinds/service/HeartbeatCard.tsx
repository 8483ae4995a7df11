import { useTranslation } from "react-i18next";
import type { ServiceDetail } from "../../api/monitor.ts";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { Section } from "../../components/Section.tsx";

/** Where a job says that it has run; only for those who may change the monitor: nobody else learns its token. */
export function HeartbeatCard({ service: { id, protocolConfig } }: { service: ServiceDetail }) {
  const { t } = useTranslation("kinds/service");
  const { token } = protocolConfig as { token?: string };
  if (token === undefined) return null;
  const address = `${window.location.origin}/api/heartbeats/${id}/${token}`;
  return (
    <Section title={t("heartbeat.title")}>
      <div className="px-4 pb-4">
        <p className="mb-3 text-sm text-pretty text-ink-muted">{t("heartbeat.text")}</p>
        <CopyableText>{address}</CopyableText>
        <CopyButton
          variant="quiet"
          className="mt-3"
          value={address}
          said={{
            copy: t("heartbeat.copy"),
            copied: t("heartbeat.copied"),
            copyFailed: t("heartbeat.copyFailed"),
          }}
        />
      </div>
    </Section>
  );
}
