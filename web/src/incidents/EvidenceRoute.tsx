import { useTranslation } from "react-i18next";
import type { FailureEvidence } from "../api/incidents.ts";
import { formatResponseTime } from "../i18n/format.ts";
import { factInReadersLanguage } from "../i18n/i18n.ts";

/** The way to the address of a failed check, hop by hop, or why it is not known. */
export function EvidenceRoute({ of: seen }: { of: FailureEvidence }) {
  const { t, i18n } = useTranslation("incidents");
  const { route, routeReached, routeMessage, routeFact } = seen;
  if (routeMessage === null && routeReached === null) return null;
  const end = routeReached ? t("evidence.route.reached") : t("evidence.route.lost", { hop: route.length });
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-ink-faint">{t("evidence.route.title")}</h3>
      {route.length > 0 && (
        <ol
          aria-label={t("evidence.route.title")}
          className="mt-1 grid max-w-md grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 rounded-md border border-line bg-page px-3 py-2.5 font-mono text-xs leading-5 tabular-nums"
        >
          {route.map(({ hop, address, ms }) => (
            <li key={hop} className="col-span-full grid grid-cols-subgrid">
              <span className="text-right text-ink-faint">{hop}</span>
              <span className={address === null ? "text-ink-muted" : "wrap-anywhere"}>
                {nameOf(address, t)}
              </span>
              <span className="text-right text-ink-muted">
                {ms !== null && formatResponseTime(ms, i18n.language)}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p className="mt-1 text-sm text-ink-muted">
        {routeMessage === null ? end : factInReadersLanguage(routeMessage, routeFact)}
      </p>
    </div>
  );
}

function nameOf(address: string | null, t: ReturnType<typeof useTranslation<"incidents">>["t"]): string {
  if (address === null) return t("evidence.route.silent");
  return address === "private" ? t("evidence.route.private") : address;
}
