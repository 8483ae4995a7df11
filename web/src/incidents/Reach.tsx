import { useTranslation } from "react-i18next";
import type { PageToTell } from "../api/incident-pages.ts";

/** How many are told by a message of what is about to be published on these pages. */
export function Reach({ pages }: { pages: readonly PageToTell[] }) {
  const { t } = useTranslation("incidents");
  const count = pages.reduce((sum, { subscribers }) => sum + subscribers, 0);
  return (
    <p role="status" className="text-sm text-ink-muted tabular-nums">
      {t(count === 0 ? "publish.reachesNobody" : "publish.reaches", { count })}
    </p>
  );
}
