import { ExternalLink, Lock } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import {
  choosePage,
  chosenPages,
  type IncidentPage,
  type NotifiedPage,
  type PageChoice,
} from "../api/incident-pages.ts";
import type { IncidentUpdate } from "../api/incidents.ts";
import { Tick } from "../forms/Tick.tsx";
import { nameSeparator } from "../i18n/format.ts";
import { inReadersLanguage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";

interface PagesFieldProps {
  /** Those that show what the incident affects. */
  pages: readonly NotifiedPage[];
  choice: PageChoice;
  /** As it was when the form was opened. */
  before: PageChoice;
  onChange: (choice: PageChoice) => void;
}

/** On which status pages an update is shown; without any, that it is internal. */
export function PagesField({ pages, choice, before, onChange }: PagesFieldProps) {
  const { t } = useTranslation("incidents");
  if (pages.length === 0) return <p className="text-sm text-ink-muted">{t("publish.nowhere")}</p>;
  const chosen = chosenPages(pages, choice);
  return (
    <fieldset className="min-w-0 text-sm">
      <legend className="mb-2 font-medium">{t("publish.label")}</legend>
      <ul className="-m-1 flex max-h-44 flex-wrap gap-x-5 gap-y-2 overflow-y-auto p-1">
        {pages.map((page) => (
          <li key={page.uuid} className="flex max-w-full min-w-0 items-start gap-1.5">
            <Tick
              type="checkbox"
              checked={chosen.includes(page)}
              onChange={(on) => onChange(choosePage(pages, choice, { uuid: page.uuid, on, before }))}
            >
              {page.name}
              {!page.isPublic && <MembersOnly />}
            </Tick>
            <OpenPage page={page} />
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-ink-muted empty:hidden">
        {chosen.length === 0 && t("publish.none")}
      </p>
    </fieldset>
  );
}

function MembersOnly() {
  const { t } = useTranslation("incidents");
  return (
    <span className="text-ink-faint">
      {" "}
      <Lock aria-hidden className="mb-0.5 inline size-3" /> {t("publish.members")}
    </span>
  );
}

function OpenPage({ page: { name, slug } }: { page: NotifiedPage }) {
  const { t } = useTranslation("incidents");
  const label = t("publish.open", { name });
  return (
    <a
      href={apiPaths.visitorsPage(slug)}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      title={label}
      className="-my-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

interface ShownOnProps {
  update: IncidentUpdate;
  /** Those that show what the incident affects. */
  pages: readonly IncidentPage[];
}

/** On which status pages visitors read an entry; nothing where the incident is on none anyway. */
export function ShownOn({ update, pages }: ShownOnProps) {
  const { t } = useTranslation("incidents");
  if (pages.length === 0) return null;
  const chosen = chosenPages(pages, update.pages);
  if (chosen.length === 0) return <p className="mt-1 text-sm text-ink-muted">{t("publish.internal")}</p>;
  // Pages do not show the description, only the state.
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
  if (said.length === 0) return <p className="mt-1 text-sm text-ink-muted">{t("publish.notShown")}</p>;
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
