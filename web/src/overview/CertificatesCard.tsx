import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { certificatesQuery } from "../api/overview.ts";
import { Loaded } from "../components/Loaded.tsx";
import { Section } from "../components/Section.tsx";
import { CertificateText } from "../monitors/list/CertificateText.tsx";
import { CertificatesSkeleton } from "./OverviewSkeleton.tsx";

/** Which certificates end next; those that end soon, or have ended, in colour. */
export function CertificatesCard() {
  const { t } = useTranslation("overview");
  const query = useQuery(certificatesQuery);
  const domains = query.data?.monitors.filter((domain) => domain.certificateStatus !== "none");
  return (
    <Section title={t("certificates.title")}>
      <Loaded
        of={{ ...query, data: domains }}
        failed={t("certificates.failed")}
        loading={<CertificatesSkeleton />}
        empty={<p className="px-4 pt-1 pb-4 text-sm text-pretty text-ink-faint">{t("certificates.empty")}</p>}
      >
        {(shown) => (
          <ul className="px-4 pb-2.5 text-sm">
            {shown.map((domain) => (
              <li
                key={domain.id}
                data-certificate={domain.certificateStatus}
                className="flex items-baseline justify-between gap-4 py-1.5"
              >
                <Link
                  to="/domains/$id"
                  params={{ id: String(domain.id) }}
                  className="min-w-0 truncate rounded-sm underline-offset-4 hover:underline"
                >
                  {domain.name}
                </Link>
                <span className="shrink-0">
                  <CertificateText monitor={domain} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
