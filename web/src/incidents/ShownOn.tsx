import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { chosenPages, type IncidentPage } from "../api/incident-pages.ts";
import type { IncidentUpdate } from "../api/incidents.ts";
import { nameSeparator } from "../i18n/format-names.ts";
import { inReadersLanguage } from "../i18n/in-readers-language.ts";
import { apiPaths } from "../paths.ts";

interface ShownOnProps {
  update: IncidentUpdate;
  /** Those that show what the incident affects. */
  pages: readonly IncidentPage[];
}

/** On which status pages visitors read what somebody wrote; nothing where the incident is on none anyway. */
export function ShownOn({ update, pages }: ShownOnProps) {
  const { t } = useTranslation("incidents");
  if (pages.length === 0) return null;
  const chosen = chosenPages(pages, update.pages);
  if (chosen.length === 0) return <p className="mt-1 text-sm text-ink-muted">{t("publish.internal")}</p>;
  // Of the description, pages tell the state alone.
  const isWordless = update.isOpening && update.fact === null;
  return (
    <p className="mt-1 text-sm wrap-anywhere text-ink-muted">
      {t(isWordless ? "publish.onWithoutWords" : "publish.on")} <PageLinks pages={chosen} />
    </p>
  );
}

/** What visitors read in the place of an entry that Vedette wrote itself; nothing where the incident is on no page anyway. */
export function SaidOn({ update, pages }: ShownOnProps) {
  const { t } = useTranslation("incidents");
  if (pages.length === 0) return null;
  const byWords = Map.groupBy(pages, ({ entries }) => {
    const own = entries.find(({ updateId }) => updateId === update.id);
    return own && inReadersLanguage(own.texts)?.message;
  });
  const said = [...byWords].flatMap(([words, own]) => (words === undefined ? [] : [{ words, own }]));
  if (said.length === 0) return <p className="mt-1 text-sm text-ink-muted">{t("publish.notTold")}</p>;
  return said.map(({ words, own }) => (
    <p key={words} className="mt-1 text-sm wrap-anywhere text-ink-muted">
      {t("publish.saidOn")} <PageLinks pages={own} />
      {t("publish.words", { words })}
    </p>
  ));
}

function PageLinks({ pages }: Pick<ShownOnProps, "pages">) {
  const { i18n } = useTranslation("incidents");
  const between = nameSeparator(i18n.language);
  return pages.map(({ uuid, name, slug }, at) => (
    <Fragment key={uuid}>
      {at > 0 && between}
      <a
        href={apiPaths.visitorsPage(slug)}
        target="_blank"
        rel="noreferrer"
        className="rounded-sm underline underline-offset-4 hover:text-ink"
      >
        {name}
      </a>
    </Fragment>
  ));
}
