import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { figuresQuery } from "../api/figures.ts";
import { Notice } from "../components/Notice.tsx";
import { factInReadersLanguage } from "../i18n/i18n.ts";

const incidentsShown = 3;

/** Warns that something has been down for minutes and nobody was notified. */
export function UnnotifiedNotice() {
  const { t } = useTranslation("overview");
  const { data } = useQuery(figuresQuery);
  const incidents = data?.incidents.unnotified ?? [];
  if (incidents.length === 0) return null;
  const more = incidents.length - incidentsShown;
  return (
    <div className="mb-4" data-unnotified>
      <Notice tone="error">
        <p className="font-medium">{t("unnotified.text", { count: incidents.length })}</p>
        <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
          {incidents.slice(0, incidentsShown).map(({ id, title, titleFact }) => (
            <li key={id} className="min-w-0 wrap-anywhere">
              <Link
                to="/incidents/$id"
                params={{ id: String(id) }}
                hash="notified"
                className="rounded-sm underline underline-offset-4"
              >
                {factInReadersLanguage(title, titleFact)}
              </Link>
            </li>
          ))}
          {more > 0 && <li>{t("unnotified.more", { count: more })}</li>}
        </ul>
        <p className="mt-1">{t("unnotified.why")}</p>
      </Notice>
    </div>
  );
}
