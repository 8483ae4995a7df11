import { useTranslation } from "react-i18next";
import type { TlsInspection } from "../../../../server/src/checks/toolbox/schemas/tls-inspection.ts";
import { DetailList } from "../../components/Card.tsx";
import { Table } from "../../components/Table.tsx";
import { formatCount, formatDate, formatResponseTime } from "../../i18n/format.ts";
import { Findings, Summary } from "../Summary.tsx";

/** Whether a certificate is good, for how long, and what the server speaks. */
export function TlsResult({ result }: { result: TlsInspection }) {
  const { t, i18n } = useTranslation("toolbox");
  const { host, address, port, trusted, daysLeft, expiresAt, findings, protocols, alpn, tlsTime } = result;
  const days =
    daysLeft === null
      ? ""
      : t("tls.days", { count: Math.abs(daysLeft), days: formatCount(Math.abs(daysLeft), i18n.language) });
  return (
    <>
      <Summary
        tone={
          trusted
            ? findings.some(({ severity }) => severity === "warning")
              ? "warning"
              : "good"
            : "critical"
        }
      >
        {trusted ? t("tls.trusted", { host, days }) : t("tls.untrusted", { host })}
      </Summary>
      {findings.length > 0 && <Findings of={findings} label={t("findings")} />}
      <div className="px-4">
        <DetailList
          details={[
            [t("tls.address"), `${address}, ${t("tls.port", { port: String(port) })}`],
            [t("tls.expires"), expiresAt && formatDate(expiresAt, i18n.language)],
            [t("tls.alpn"), alpn],
            [t("tls.handshake"), tlsTime !== null && formatResponseTime(tlsTime, i18n.language)],
          ]}
        />
      </div>
      <Table
        columns={[
          {
            id: "version",
            head: t("tls.version"),
            width: "w-28",
            names: true,
            cell: ({ version }) => versionName(version),
          },
          {
            id: "accepted",
            head: t("tls.accepted"),
            width: "w-28",
            cell: ({ accepted }) => (accepted === null ? "–" : t(accepted ? "yes" : "no")),
          },
          {
            id: "cipher",
            head: t("tls.cipher"),
            cell: ({ cipher }) => <span className="wrap-anywhere text-ink-muted">{cipher ?? "–"}</span>,
          },
        ]}
        rows={protocols}
        keyOf={({ version }) => version}
      />
      <Chain of={result.chain} />
    </>
  );
}

/** `TLSv1` is version 1.0. */
const versionName = (version: string) => version.replace("TLSv", "TLS ").replace(/ 1$/, " 1.0");

function Chain({ of: chain }: { of: TlsInspection["chain"] }) {
  const { t, i18n } = useTranslation("toolbox");
  if (chain.length === 0) return null;
  return (
    <section aria-label={t("tls.chain")} className="grid gap-3 px-4">
      <h3 className="text-sm font-medium">{t("tls.chain")}</h3>
      <ol className="grid gap-3">
        {chain.map(({ subject, issuer, names, isUsed, ...one }) => (
          <li key={one.fingerprint} className="rounded-md border border-line p-3">
            <DetailList
              details={[
                [t("tls.subject"), isUsed ? subject : t("tls.notNeeded", { subject })],
                [t("tls.names"), names.join(", ")],
                [t("tls.issuer"), issuer],
                [
                  t("tls.valid"),
                  t("tls.fromTo", {
                    from: formatDate(one.validFrom, i18n.language),
                    to: formatDate(one.validTo, i18n.language),
                  }),
                ],
                [t("tls.key"), one.keyType],
                [
                  t("tls.serial"),
                  <code key="serial" className="font-sans break-all select-all">
                    {one.serialNumber}
                  </code>,
                ],
                [
                  "SHA-256",
                  <code key="fingerprint" className="font-sans break-all select-all">
                    {one.fingerprint}
                  </code>,
                ],
              ]}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
