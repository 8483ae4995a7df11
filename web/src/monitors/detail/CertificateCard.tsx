import { useTranslation } from "react-i18next";
import { commonName, issuerName } from "../../../../server/src/monitors/certificate-status.ts";
import type { MonitorDetail } from "../../api/monitor.ts";
import { DetailList, type LabelledValue, Section } from "../../components/Card.tsx";
import { Skeleton } from "../../components/Loaded.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDate, formatDays } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";

type Certificate = MonitorDetail["certificate"];

/** More names than this are counted. */
const namesShown = 4;

interface CertificateCardProps {
  /** Undefined while it is on its way. */
  detail: MonitorDetail | undefined;
  /** What is watched is read without TLS. */
  plain: boolean;
  /** An invalid one is accepted. */
  accepted?: boolean;
}

/** The certificate that the last check saw: how long it lasts in words, who it is for and from, and what is wrong. */
export function CertificateCard({ detail, plain, accepted = false }: CertificateCardProps) {
  const { t } = useTranslation("monitors");
  const certificate = detail?.certificate;
  return (
    <Section
      title={t("certificate.title")}
      trailing={certificate && <Verdict {...{ certificate, accepted }} />}
    >
      {!detail && (
        <div className="grid gap-3 px-4 pt-1 pb-5">
          <Skeleton className="h-3 w-48" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-56" />
        </div>
      )}
      {detail && certificate?.status === "none" && (
        <p className="grid h-19 place-items-center px-4 pb-4 text-center text-pretty text-ink-faint">
          {t(plain ? "certificate.noTls" : "certificate.unseen")}
        </p>
      )}
      {certificate && certificate.status !== "none" && <CertificateDetails {...{ certificate, accepted }} />}
    </Section>
  );
}

interface VerdictProps {
  certificate: Certificate;
  accepted: boolean;
}

function Verdict({ certificate: { status, expiresAt }, accepted }: VerdictProps) {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  if (status === "none") return null;
  if (accepted && expiresAt !== null && status !== "expired") {
    // It is known to be invalid and accepted; its expiry is still worth knowing.
    const left = formatDays(Date.parse(expiresAt) - now, i18n.language);
    return <span className="text-ink-muted">{t("certificate.unverified", { duration: left })}</span>;
  }
  if (status === "invalid" || expiresAt === null) {
    return <span className="font-medium text-down-ink">{t("certificate.invalid")}</span>;
  }
  const leftMs = Date.parse(expiresAt) - now;
  const duration = formatDays(leftMs, i18n.language);
  if (status === "expired") {
    const ago = formatAgo(-leftMs, i18n.language);
    return <span className="font-medium text-down-ink">{t("certificate.expired", { ago })}</span>;
  }
  const soon = status === "expiring_soon";
  return (
    <span className={soon ? "font-medium text-warn-ink" : "text-up-ink"}>
      {t(soon ? "certificate.expiring" : "certificate.valid", { duration })}
    </span>
  );
}

function CertificateDetails({ certificate, accepted }: VerdictProps) {
  const { t, i18n } = useTranslation("monitors");
  const { subject, issuer, names, startsAt, expiresAt, keyType, reason, reasonFact, chain } = certificate;
  const { host, expiresFirst } = certificate;
  const date = (at: string | null) => (at === null ? "–" : formatDate(at, i18n.language));
  const more = names.length - namesShown;
  const namesText = [...names.slice(0, namesShown)].join(", ");
  const moreText = more > 0 ? ` ${t("certificate.more", { count: more })}` : "";
  const details: LabelledValue[] = [
    [t("certificate.host"), host],
    [t("certificate.issuedTo"), subject && commonName(subject)],
    [t("certificate.issuer"), issuer && issuerName(issuer)],
    [t("certificate.names"), namesText && namesText + moreText],
    // The server's own: what vouches for it may end before it does.
    [
      t("certificate.period"),
      t("certificate.periodText", { from: date(startsAt), to: date(chain[0]?.expiresAt ?? expiresAt) }),
    ],
    [
      t("certificate.expiresFirst"),
      expiresFirst && <ExpiresFirst {...expiresFirst} date={date(expiresAt)} />,
    ],
    [t("certificate.key"), keyType],
    [t("certificate.chain"), chain.length > 1 && <Chain chain={chain} />],
  ];
  return (
    <div className="px-4 pt-0.5 pb-4">
      {reason && (
        <p
          className={`mb-3 rounded-md px-3 py-2 text-sm text-pretty break-words ${accepted ? "bg-hover text-ink-muted" : "bg-down-soft text-down-ink"}`}
        >
          {translateMessage(reason, reasonFact)}
        </p>
      )}
      <DetailList details={details} />
    </div>
  );
}

/** What ends first of the path to the trust anchor: the server's own certificate may last longer. */
function ExpiresFirst({ role, subject, date }: NonNullable<Certificate["expiresFirst"]> & { date: string }) {
  const { t } = useTranslation("monitors");
  return (
    <span title={subject}>
      {t(role === "root" ? "certificate.rootEnds" : "certificate.intermediateEnds", {
        name: commonName(subject),
        date,
      })}
    </span>
  );
}

function Chain({ chain }: { chain: Certificate["chain"] }) {
  const { t, i18n } = useTranslation("monitors");
  return (
    <ol className="grid gap-0.5">
      {chain.map(({ subject, expiresAt, isUsed }) => (
        <li key={subject + expiresAt} title={subject}>
          {commonName(subject)}{" "}
          <span className="text-ink-faint">
            {t(isUsed ? "certificate.until" : "certificate.notNeeded", {
              date: formatDate(expiresAt, i18n.language),
            })}
          </span>
        </li>
      ))}
    </ol>
  );
}
