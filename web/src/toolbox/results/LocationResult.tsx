import { useTranslation } from "react-i18next";
import type { IpLocation } from "../../../../server/src/wire/toolbox/ip-location.ts";
import { FactList } from "../../components/Card.tsx";
import { formatDate } from "../../i18n/format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { Summary } from "../Summary.tsx";

/** Where an address is, whose it is, and how old that knowledge is. */
export function LocationResult({ result }: { result: IpLocation }) {
  const { t, i18n } = useTranslation("toolbox");
  const { ip, countryCode, country, region, city, isp, organization, asn, reason, reasonFact, databases } =
    result;
  const inReadersLanguage =
    countryCode && new Intl.DisplayNames(i18n.language, { type: "region" }).of(countryCode);
  const place = [city, region, inReadersLanguage || country].filter(Boolean).join(", ");
  return (
    <>
      <Summary tone={place === "" ? "info" : "good"}>
        {place === "" ? t("location.unknown", { ip }) : place}
      </Summary>
      <div className="px-4">
        <FactList
          facts={[
            [t("location.address"), ip],
            [t("location.country"), country && `${inReadersLanguage || country} (${countryCode})`],
            [t("location.region"), region],
            [t("location.city"), city],
            [t("location.isp"), isp],
            [t("location.organization"), organization],
            [t("location.asn"), asn === null ? null : `AS${asn}`],
          ]}
        />
      </div>
      {reason !== null && (
        <p className="px-4 text-sm text-pretty text-ink-muted">
          {reasonFact ? factInReadersLanguage(reason, reasonFact) : reason}
        </p>
      )}
      <ul className="grid gap-1 px-4 text-sm text-ink-faint">
        {databases.map(({ name, builtAt, ageDays, isInstalled }) => (
          <li key={name}>
            {isInstalled ? (
              <a
                href="https://db-ip.com"
                target="_blank"
                rel="noreferrer"
                className="underline underline-offset-2 hover:text-ink"
              >
                {t("location.attribution")}
              </a>
            ) : (
              name
            )}{" "}
            {t("location.age", { count: ageDays, date: formatDate(builtAt, i18n.language) })}
          </li>
        ))}
      </ul>
    </>
  );
}
